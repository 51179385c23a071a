#include "dense_algebra.h"

namespace tidelock {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd solve_ldlt(const MatrixXd& a, const MatrixXd& b) { return a.ldlt().solve(b); }
VectorXd solve_ldlt(const MatrixXd& a, const VectorXd& b) { return a.ldlt().solve(b); }
MatrixXd solve_llt(const MatrixXd& a, const MatrixXd& b) { return cholesky(a).solve(b); }
VectorXd solve_llt(const MatrixXd& a, const VectorXd& b) { return cholesky(a).solve(b); }
VectorXd solve_lu(const MatrixXd& a, const VectorXd& b) { return a.partialPivLu().solve(b); }
MatrixXd inverse(const MatrixXd& a) { return a.inverse(); }

MatrixXd orthonormal_factor(const MatrixXd& a) { return a.householderQr().householderQ(); }
VectorXd projected_on_columns(const MatrixXd& a, const VectorXd& b) {
    return a * VectorXd(a.colPivHouseholderQr().solve(b));
}

bool is_positive_definite(const MatrixXd& a) { return cholesky(a).info() == Eigen::Success; }
double smallest_eigenvalue(const MatrixXd& a) {
    return Eigen::SelfAdjointEigenSolver<MatrixXd>(a, Eigen::EigenvaluesOnly).eigenvalues().minCoeff();
}
VectorXd lowest_eigenvector(const MatrixXd& a) {
    return Eigen::SelfAdjointEigenSolver<MatrixXd>(a).eigenvectors().col(0);
}

}  // namespace tidelock
