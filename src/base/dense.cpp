#include "base/dense.h"

namespace tidelock {

using Eigen::MatrixXd;

MatrixXd product(const MatrixXd& a, const MatrixXd& b) { return a * b; }
MatrixXd transposed_product(const MatrixXd& a, const MatrixXd& b) { return a.transpose() * b; }

Eigen::LLT<MatrixXd> cholesky(const MatrixXd& a) { return Eigen::LLT<MatrixXd>(a); }

std::optional<MatrixXd> definite_inverse(const MatrixXd& a) {
    if (a.rows() == 0) return a;
    const auto factor = cholesky(a);
    if (factor.info() != Eigen::Success || !a.allFinite()) return std::nullopt;
    const MatrixXd inverse = factor.solve(MatrixXd::Identity(a.rows(), a.cols()));
    return 0.5 * (inverse + inverse.transpose());
}

MatrixXd least_squares(const MatrixXd& a, const MatrixXd& b, double dependent) {
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> factor;
    factor.setThreshold(dependent);
    factor.compute(a);
    return factor.solve(b);
}

MatrixXd free_of_rows(const MatrixXd& a, double dependent) {
    Eigen::ColPivHouseholderQR<MatrixXd> factor;
    factor.setThreshold(dependent);
    factor.compute(a.transpose());
    const MatrixXd q = factor.householderQ();
    return q.rightCols(q.cols() - factor.rank());
}

RightSingularVectors right_singular_vectors(const MatrixXd& a) {
    const Eigen::JacobiSVD<MatrixXd> svd(a, Eigen::ComputeFullV);
    return {svd.singularValues(), svd.matrixV()};
}

}  // namespace tidelock
