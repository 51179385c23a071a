#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "bench_common.h"
#include "peers.h"

namespace tidelock::bench {
namespace {

PeerResult read_result(const std::string& line) {
    const auto number = [&](const char* key) {
        const std::string text = json_value(line, key);
        return text.empty() || text == "null" ? 0.0 : std::stod(text);
    };
    PeerResult result;
    result.threads = 2;
    result.solver = json_value(line, "solver");
    result.assembly_seconds = number("assembly_s");
    result.setup_seconds = number("setup_s");
    result.solve_seconds = number("solve_s");
    result.iterations = static_cast<int>(number("iterations"));
    result.residual = number("residual");
    result.megabytes = number("megabytes");
    result.note = json_value(line, "note");
    return result;
}

struct ClosePipe {
    void operator()(FILE* pipe) const { pclose(pipe); }
};

}  // namespace

template <int D>
std::vector<PeerResult> run_hypre(const PoissonProblem<D>& problem, const std::string& configurations,
                                  std::string& why) {
    const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "peers_hypre";
    if (!std::filesystem::exists(program)) {
        why = "peers_hypre was not built (hypre or MPI not found)";
        return {};
    }
    const std::string cells = fmt::format("{}", fmt::join(problem.cells.begin(), problem.cells.end(), ","));
    const std::string command = fmt::format(
        "mpirun --allow-run-as-root --oversubscribe --bind-to none -np 2 '{}' --domain {} --body {} --cells {} "
        "--configurations {}",
        program.string(), problem.spec.domain, problem.spec.body, cells, configurations);
    const std::unique_ptr<FILE, ClosePipe> pipe(popen(command.c_str(), "r"));
    std::vector<PeerResult> results;
    std::array<char, 4096> line{};
    while (pipe && std::fgets(line.data(), static_cast<int>(line.size()), pipe.get()) != nullptr)
        if (line[0] == '{') results.push_back(read_result(line.data()));
    if (results.empty()) why = "peers_hypre gave no result";
    return results;
}

template std::vector<PeerResult> run_hypre<2>(const PoissonProblem<2>&, const std::string&, std::string&);
template std::vector<PeerResult> run_hypre<3>(const PoissonProblem<3>&, const std::string&, std::string&);

}  // namespace tidelock::bench
