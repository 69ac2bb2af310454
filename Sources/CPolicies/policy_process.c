/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "policy_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char hash_seed[] = "PYTHONHASHSEED=";

/* The environment with one entry of our own in front. */
static char **environment(void) {
    size_t count = 0;
    while (environ[count]) count++;
    char **entries = calloc(count + 2, sizeof *entries);
    if (!entries) return NULL;
    size_t kept = 0;
    entries[kept++] = (char *)"PYTHONHASHSEED=0";
    for (size_t index = 0; index < count; index++)
        if (strncmp(environ[index], hash_seed, sizeof hash_seed - 1) != 0) entries[kept++] = environ[index];
    return entries;
}

static void limit(int resource, uint64_t value) {
    struct rlimit now;
    if (getrlimit(resource, &now) != 0) return;
    rlim_t most = now.rlim_max == RLIM_INFINITY || value < now.rlim_max ? (rlim_t)value : now.rlim_max;
    struct rlimit wanted = {most, most};
    setrlimit(resource, &wanted);
}

/* What the child does between fork and exec; only calls that are safe there. */
static void become(
    char *const words[], char **entries, const char *folder, uint64_t memory, uint64_t file_size, int ends[4][2]) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_DATA, memory);
    limit(RLIMIT_FSIZE, file_size);
    limit(RLIMIT_CORE, 0);
    dup2(ends[0][0], 0);
    dup2(ends[1][1], 1);
    dup2(ends[2][1], 2);
    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    if (chdir(folder) == 0) execvpe(words[0], words, entries);
    int reason = errno;
    ssize_t ignored = write(ends[3][1], &reason, sizeof reason);
    (void)ignored;
    _exit(127);
}

static void close_ends(int ends[4][2], int count) {
    for (int pipe = 0; pipe < count; pipe++) {
        close(ends[pipe][0]);
        close(ends[pipe][1]);
    }
}

int policy_process_start(
    char *const words[], const char *folder, uint64_t memory, uint64_t file_size, policy_process *process) {
    int ends[4][2];
    for (int pipe = 0; pipe < 4; pipe++) {
        if (pipe2(ends[pipe], O_CLOEXEC) != 0) {
            int reason = errno;
            close_ends(ends, pipe);
            return reason;
        }
    }
    char **entries = environment();
    pid_t child = entries ? fork() : -1;
    if (child == 0) become(words, entries, folder, memory, file_size, ends);
    int reason = child < 0 ? (entries ? errno : ENOMEM) : 0;
    free(entries);
    close(ends[0][0]);
    close(ends[1][1]);
    close(ends[2][1]);
    close(ends[3][1]);
    if (child > 0) {
        ssize_t count;
        while ((count = read(ends[3][0], &reason, sizeof reason)) < 0 && errno == EINTR) {}
        if (count <= 0) reason = 0;
    }
    close(ends[3][0]);
    if (reason != 0) {
        close(ends[0][1]);
        close(ends[1][0]);
        close(ends[2][0]);
        if (child > 0) while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
        return reason;
    }
    *process = (policy_process){child, ends[0][1], ends[1][0], ends[2][0], policy_watch(child)};
    int own[3] = {process->input, process->output, process->messages};
    for (int index = 0; index < 3; index++) fcntl(own[index], F_SETFL, fcntl(own[index], F_GETFL) | O_NONBLOCK);
    return 0;
}

int policy_limit_memory(uint64_t bytes) {
    struct rlimit now;
    if (getrlimit(RLIMIT_DATA, &now) != 0) return errno;
    if (now.rlim_max != RLIM_INFINITY && bytes > now.rlim_max) bytes = now.rlim_max;
    now.rlim_cur = bytes;
    return setrlimit(RLIMIT_DATA, &now) == 0 ? 0 : errno;
}

int policy_watch(int identifier) { return (int)syscall(SYS_pidfd_open, identifier, 0); }

int policy_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 ? 0 : errno; }

int policy_sealed_copy(const void *bytes, size_t count) {
    int file = memfd_create("policy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    size_t done = 0;
    while (done < count) {
        ssize_t step = write(file, (const char *)bytes + done, count - done);
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0) break;
        done += (size_t)step;
    }
    int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    if (done == count && fcntl(file, F_ADD_SEALS, seals) == 0) return file;
    int reason = errno;
    close(file);
    errno = reason;
    return -1;
}
