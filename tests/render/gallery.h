/// What the galleries share: a folder of pictures for a person to look at.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/timer.h"
#include "render/png.h"

namespace tidelock {

class Gallery {
  public:
    /// Only pictures whose name contains `only`; all if it is empty.
    Gallery(std::filesystem::path folder, std::string only) : folder_(std::move(folder)), only_(std::move(only)) {
        std::filesystem::create_directories(folder_);
    }

    [[nodiscard]] bool wants(const std::string& name) const {
        return only_.empty() || name.find(only_) != std::string::npos;
    }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

    /// Times `draw` and saves what it returns; a picture that was asked for by name comes with a profile.
    template <class Draw>
    void show(const std::string& name, const Draw& draw) const {
        if (!wants(name)) return;
        const double start = wall_seconds();
        start_profile();
        const Image image = draw();
        const auto profile = stop_profile();
        const auto bytes = encode_png(image);
        std::ofstream(folder_ / (name + ".png"), std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        std::printf("%-20s %4d x %4d  %.2f s\n", name.c_str(), image.width, image.height, wall_seconds() - start);
        if (!only_.empty()) std::printf("%s\n", profile_table(profile).c_str());
    }

  private:
    std::filesystem::path folder_;
    std::string only_;
};

}  // namespace tidelock
