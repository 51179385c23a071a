/// Algebra of dense matrices of any size, compiled once: each file that spells it out compiles Eigen's kernels again.
#pragma once

#include <Eigen/Dense>
#include <optional>

namespace tidelock {

/// A B.
Eigen::MatrixXd product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
/// A^T B.
Eigen::MatrixXd transposed_product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// Cholesky's factor of a symmetric matrix; its info() tells whether that is positive definite.
Eigen::LLT<Eigen::MatrixXd> cholesky(const Eigen::MatrixXd& a);
/// The inverse of a symmetric matrix, symmetric to the bit; nothing unless `a` is finite and positive definite.
std::optional<Eigen::MatrixXd> definite_inverse(const Eigen::MatrixXd& a);

/// The shortest of the x that bring A x closest to B; pivots below `dependent` times the largest count as zero.
Eigen::MatrixXd least_squares(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double dependent);
/// Orthonormal columns that span what the rows leave free: A times them is zero.
Eigen::MatrixXd free_of_rows(const Eigen::MatrixXd& a, double dependent);

/// A = U diag(values) V^T.
struct RightSingularVectors {
    Eigen::VectorXd values;  ///< descending
    Eigen::MatrixXd v;       ///< square
};
RightSingularVectors right_singular_vectors(const Eigen::MatrixXd& a);

}  // namespace tidelock
