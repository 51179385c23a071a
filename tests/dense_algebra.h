/// Textbook algebra of dense matrices that tests compare with, compiled once for all of them; see base/dense.h as well.
#pragma once

#include "base/dense.h"

namespace tidelock {

/// A^-1 B for a symmetric A, by LDL^T.
Eigen::MatrixXd solve_ldlt(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
Eigen::VectorXd solve_ldlt(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);
/// A^-1 B for a symmetric positive definite A, by Cholesky's factor.
Eigen::MatrixXd solve_llt(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
Eigen::VectorXd solve_llt(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);
/// A^-1 b, by LU with pivots.
Eigen::VectorXd solve_lu(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);
/// A^-1, by LU with pivots.
Eigen::MatrixXd inverse(const Eigen::MatrixXd& a);

/// Q of A = Q R.
Eigen::MatrixXd orthonormal_factor(const Eigen::MatrixXd& a);
/// The part of b in the span of A's columns.
Eigen::VectorXd projected_on_columns(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

/// Of a symmetric matrix.
bool is_positive_definite(const Eigen::MatrixXd& a);
double smallest_eigenvalue(const Eigen::MatrixXd& a);
/// The eigenvector of the smallest eigenvalue.
Eigen::VectorXd lowest_eigenvector(const Eigen::MatrixXd& a);

}  // namespace tidelock
