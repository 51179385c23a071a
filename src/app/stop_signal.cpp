#include "app/stop_signal.h"

#include <csignal>
#include <cstring>
#include <initializer_list>

#include "render/film.h"

namespace tidelock::app {

namespace {

volatile std::sig_atomic_t last_signal = 0;

void note_signal(int number) {
    // A film that is being made is not waited for, and with the second signal its maker does not stay behind.
    signal_film(last_signal == 0 ? SIGTERM : SIGKILL);
    if (last_signal != 0) {
        std::signal(number, SIG_DFL);
        std::raise(number);
    }
    last_signal = number;
}

}  // namespace

StopSignals::StopSignals() {
    last_signal = 0;
    struct sigaction action = {};
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;
    for (const int number : {SIGINT, SIGTERM}) ::sigaction(number, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

StopSignals::~StopSignals() {
    for (const int number : {SIGINT, SIGTERM, SIGPIPE}) std::signal(number, SIG_DFL);
}

int StopSignals::received() { return last_signal; }

std::string StopSignals::name() { return last_signal != 0 ? ::sigabbrev_np(last_signal) : ""; }

}  // namespace tidelock::app
