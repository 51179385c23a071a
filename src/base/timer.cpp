#include "base/timer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>

namespace tidelock {
namespace {

struct Node {
    const char* label = "total";
    std::int64_t calls = 0;
    double seconds = 0;
    double entered = 0;
    Node* parent = nullptr;
    std::vector<std::unique_ptr<Node>> children;

    Node* child(const char* name) {
        for (auto& c : children)
            if (c->label == name || std::strcmp(c->label, name) == 0) return c.get();
        children.push_back(std::make_unique<Node>());
        children.back()->label = name;
        children.back()->parent = this;
        return children.back().get();
    }
};

struct Profile {
    Node root;
    Node* current = &root;
};

thread_local std::unique_ptr<Profile> running;

void flatten(const Node& node, int depth, std::vector<ProfileEntry>& out) {
    out.push_back({node.label, depth, node.calls, node.seconds});
    for (const auto& child : node.children) flatten(*child, depth + 1, out);
}

}  // namespace

double wall_seconds() {
    using Clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

void start_profile() {
    running = std::make_unique<Profile>();
    running->root.calls = 1;
    running->root.entered = wall_seconds();
}

std::vector<ProfileEntry> stop_profile() {
    std::vector<ProfileEntry> entries;
    if (!running) return entries;
    running->root.seconds = wall_seconds() - running->root.entered;
    flatten(running->root, 0, entries);
    running.reset();
    return entries;
}

std::string profile_table(const std::vector<ProfileEntry>& entries) {
    std::size_t width = 5;
    for (const auto& e : entries) width = std::max(width, e.label.size() + 2 * static_cast<std::size_t>(e.depth));
    const double total = entries.empty() ? 0 : entries.front().seconds;
    std::string table = fmt::format("{:<{}}  {:>9}  {:>11}  {:>6}\n", "stage", width, "calls", "seconds", "share");
    for (const auto& e : entries) {
        const auto name = std::string(2 * static_cast<std::size_t>(e.depth), ' ') + e.label;
        table += fmt::format("{:<{}}  {:>9}  {:>11.6f}  {:>5.1f}%\n", name, width, e.calls, e.seconds,
                             total > 0 ? 100 * e.seconds / total : 0.0);
    }
    return table;
}

ScopedTimer::ScopedTimer(const char* label) : active_(running != nullptr) {
    if (!active_) return;
    Node* node = running->current->child(label);
    node->entered = wall_seconds();
    running->current = node;
}

ScopedTimer::~ScopedTimer() {
    if (!active_ || !running || running->current->parent == nullptr) return;
    Node* node = running->current;
    node->seconds += wall_seconds() - node->entered;
    ++node->calls;
    running->current = node->parent;
}

}  // namespace tidelock
