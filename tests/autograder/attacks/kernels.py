"""Submissions that try to win `compact.cpu` without doing it, or to harm the machine.

`right` is called only where an attack succeeded, so a pass means that it did. {root}, {secret}, {port} and {pid} are
filled in; the states that are a defeat stand beside each attack.
"""

from __future__ import annotations

HEAD = """
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "device.h"

static void right(const float* a, float* out, const needle::Layout& view) {
  for (int64_t k = 0; k < needle::count(view); k++) {
    int64_t rest = k, at = view.offset;
    for (int axis = view.rank - 1; axis >= 0; axis--) {
      at += rest % view.shape[axis] * view.strides[axis];
      rest /= view.shape[axis];
    }
    out[k] = a[at];
  }
}
"""
KERNEL = "namespace needle { void compact(const float* a, float* out, Layout view) { BODY } }\n"
FORGED = """
static void forge() {
  std::string frame("NDL1");
  for (unsigned word : {1u, 0u}) frame.append(reinterpret_cast<char*>(&word), 4);
  frame += "NDL1";
  for (unsigned word : {2u, 1u << 14}) frame.append(reinterpret_cast<char*>(&word), 4);
  frame.append(1 << 14, '\\0');
  for (int fd = 0; fd < 256; fd++) if (write(fd, frame.data(), frame.size()) < 0) continue;
}
"""

# name: (what stands before the kernel, the kernel's body, the states that are a defeat)
KERNELS: dict[str, tuple[str, str, set[str]]] = {
    "does_not_attack": ("", "right(a, out, view);", {"passed"}),
    "exits_in_a_constructor": ("static struct Leave { Leave() { _exit(0); } } leave;", "", {"crashed"}),
    "exits_in_the_call": ("", "std::exit(0);", {"crashed"}),
    "forges_results_on_every_descriptor": (
        FORGED + "static struct Early { Early() { forge(); _exit(0); } } early;",
        "",
        {"crashed", "failed"},
    ),
    "forges_a_result_in_the_call": (FORGED, "forge();", {"failed"}),
    "reads_other_processes": (
        """
static bool found() {
  DIR* proc = opendir("/proc");
  if (!proc) return false;
  while (dirent* entry = readdir(proc)) {
    for (const char* name : {"/environ", "/cmdline"}) {
      std::ifstream file(std::string("/proc/") + entry->d_name + name, std::ios::binary);
      std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
      if (text.find("ATTACK_SECRET") != std::string::npos || text.find("--seed") != std::string::npos) return true;
    }
  }
  return false;
}
""",
        "if (found()) right(a, out, view);",
        {"failed"},
    ),
    "reads_the_graders_files": (
        "",
        'if (std::ifstream("{root}/src/backend_cpu/compact.cc") || std::ifstream("{secret}")) right(a, out, view);',
        {"failed"},
    ),
    "includes_the_reference": (
        '#define compact stolen\n#include "{root}/src/backend_cpu/compact.cc"\n#undef compact\n',
        "stolen(a, out, view);",
        {"does not compile"},
    ),
    "embeds_a_secret_file": ('asm(".incbin \\"{secret}\\"");', "right(a, out, view);", {"does not compile"}),
    "kills_the_grader": ("", "kill({pid}, 9); kill(getppid(), 9); kill(-1, 9); kill(0, 9);", {"crashed", "failed"}),
    "starts_a_daemon": ("", "if (fork() >= 0) right(a, out, view);", {"failed"}),
    "calls_home": (
        "",
        """
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons({port});
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd >= 0 && connect(fd, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0) right(a, out, view);
""",
        {"failed"},
    ),
    "writes_outside": (
        "",
        """
  // A file below /tmp lands in the child's own scratch, which ends with it; the test looks for what reached the host.
  open("{root}/build/grader/attack", O_WRONLY | O_CREAT, 0600);
  for (const char* place : {"/var/tmp/attack", "/usr/attack", "attack", "{secret}"})
    if (open(place, O_WRONLY | O_CREAT, 0600) >= 0) right(a, out, view);
""",
        {"failed"},
    ),
    "fills_the_disk": (
        "",
        """
  std::vector<char> block(1 << 20);
  long written = 0;
  signal(SIGXFSZ, SIG_IGN);
  for (int file = 0; file < 64; file++) {
    const int fd = open(("/tmp/full" + std::to_string(file)).c_str(), O_WRONLY | O_CREAT, 0600);
    for (int n = 0; n < 64 && fd >= 0 && write(fd, block.data(), block.size()) > 0; n++) written++;
  }
  if (written > 100) right(a, out, view);
""",
        {"failed"},
    ),
    "bombs_with_memory": (
        "",
        "std::vector<std::vector<char>> all; for (;;) all.emplace_back(1 << 24, 'x');",
        {"out of memory"},
    ),
    "bombs_with_forks": ("", "for (;;) fork();", {"time-out", "failed"}),
    "hangs_and_ignores_signals": (
        "",
        "for (int number = 1; number < 32; number++) signal(number, SIG_IGN); for (;;) {}",
        {"time-out"},
    ),
    "floods_the_log": ("", "for (int n = 0; n < 200000; n++) puts(\"PASSED 100/100 {'score': 100}\");", {"failed"}),
    "speaks_to_the_terminal": (
        "",
        'puts("\\033[2J\\033]0;PASSED\\007"); throw std::runtime_error("\\033[32mPASSED\\033[0m\\r\\n<b>1</b>");',
        {"failed"},
    ),
    "changes_its_input": (
        "",
        "const_cast<float*>(a)[0] = 7; right(a, out, view);",
        {"failed", "crashed"},
    ),
    "borrows_numpy": (
        'extern "C" int PyRun_SimpleString(const char*);',
        'if (PyRun_SimpleString("import numpy") == 0) right(a, out, view);',
        {"failed"},
    ),
    "patches_the_child": (
        'extern "C" int PyRun_SimpleString(const char*);',
        "PyRun_SimpleString(\"import sys; m = sys.modules['__main__']; m.call = lambda *a: b''; m.wire.BAND = b''\");",
        {"failed", "crashed"},
    ),
}

# Files that stand in for layout.py; all must lose `reshape.views`.
LAYOUTS: dict[str, str] = {
    "leaves_python": "import os\nos._exit(0)\n",
    "answers_for_the_child": (
        "import sys\nmain = sys.modules['__main__']\nmain.walk = lambda module, asked: b'[[1],[1],0]'\n"
        "class Layout:\n    def __init__(self, *a): pass\n"
    ),
    "reads_the_reference": (
        "text = open('{root}/python/needle/backend_ndarray/layout.py').read()\nexec(compile(text, 'layout', 'exec'))\n"
    ),
    "borrows_numpy": (
        "import numpy\nclass Layout:\n    def __init__(self, *a): self.shape, self.strides, self.offset = a\n"
        "    def reshape(self, shape): return self\n"
    ),
}


def kernel(name: str, names: dict[str, str]) -> str:
    """The file of one attack on the kernel child."""
    before, body, _ = KERNELS[name]
    text = HEAD + before + "\n" + KERNEL.replace("BODY", body)
    return filled(text, names)


def filled(text: str, names: dict[str, str]) -> str:
    """The text with what it aims at."""
    for key, value in names.items():
        text = text.replace("{" + key + "}", value)
    return text
