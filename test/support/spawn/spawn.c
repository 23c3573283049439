/* The processes of macOS on those of Linux. posix_spawn writes down what it is given, then runs the program by fork and exec.
   STANDIN_RECORD is the file; STANDIN_MODE is `refuses` (to disclaim), `inherits` (it succeeds, and changes nothing) or `protected`
   (environments are told of nobody). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SETSIGDEF 0x0004
#define SETSIGMASK 0x0008
#define START_SUSPENDED 0x0080
#define SETSID 0x0400
#define CLOEXEC_DEFAULT 0x4000

typedef struct { short flags; uint32_t defaults, mask; int disclaimed; } Attributes;
typedef struct { uint32_t inherited; } Actions;

static int disclaimed_pid;

/* In another process than the one that spawned. */
void standin_disclaimed(pid_t pid) { disclaimed_pid = pid; }

static int is_mode(const char *name) {
  const char *mode = getenv("STANDIN_MODE");
  return mode != NULL && strcmp(mode, name) == 0;
}

int posix_spawnattr_init(Attributes **made) { return (*made = calloc(1, sizeof(Attributes))) == NULL ? ENOMEM : 0; }
int posix_spawnattr_destroy(Attributes **made) { free(*made); *made = NULL; return 0; }
int posix_spawnattr_setflags(Attributes **of, short flags) { (*of)->flags = flags; return 0; }
int posix_spawnattr_setsigdefault(Attributes **of, const uint32_t *signals) { (*of)->defaults = *signals; return 0; }
int posix_spawnattr_setsigmask(Attributes **of, const uint32_t *signals) { (*of)->mask = *signals; return 0; }
int posix_spawn_file_actions_init(Actions **made) { return (*made = calloc(1, sizeof(Actions))) == NULL ? ENOMEM : 0; }
int posix_spawn_file_actions_destroy(Actions **made) { free(*made); *made = NULL; return 0; }
int posix_spawn_file_actions_addinherit_np(Actions **of, int fd) { (*of)->inherited |= 1u << fd; return 0; }

#ifndef WITHOUT_DISCLAIM
int responsibility_spawnattrs_setdisclaim(Attributes **of, int disclaim) {
  if (is_mode("refuses")) return -1;
  (*of)->disclaimed = disclaim;
  return 0;
}
#endif

/* Who answers for a process is inherited by all it starts, and kept by the kernel. Of Linux, this number is, too. */
static int mark_of(pid_t pid) { return 300 + pid % 600; }
static long number_in(pid_t pid, const char *name) {
  char path[64];
  long number = -1;
  snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  FILE *file = fopen(path, "r");
  if (file == NULL) return -1;
  if (fscanf(file, "%ld", &number) != 1) number = -1;
  fclose(file);
  return number;
}
int responsibility_get_pid_responsible_for_pid(pid_t pid) {
  if (is_mode("inherits") || disclaimed_pid == 0) return getpid();
  return number_in(pid, "oom_score_adj") == mark_of(disclaimed_pid) ? disclaimed_pid : getpid();
}

static size_t bytes_of(pid_t pid, const char *name, char *into, size_t room) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  FILE *file = fopen(path, "r");
  if (file == NULL) return 0;
  size_t read = fread(into, 1, room, file);
  fclose(file);
  return read;
}

int proc_pidinfo(int pid, int flavor, uint64_t arg, uint8_t *into, int size) {
  char text[1024] = "", name[16] = "", *fields;
  if (arg != 0) abort();
  memset(into, 0, size);
  if (flavor == 9 && size == 2352) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/cwd", pid);
    return readlink(path, (char *)into + 152, 1023) < 0 ? 0 : size;
  }
  if (flavor != 3 || size != 136) abort();
  bytes_of(pid, "stat", text, sizeof text - 1);
  if ((fields = strrchr(text, ')')) == NULL) return 0;
  char state;
  int parent, group, session, terminal;
  unsigned long long ticks;
  if (sscanf(fields + 2, "%c %d %d %d %d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &state, &parent, &group, &session, &terminal, &ticks) != 6) return 0;
  /* One that has ended and waits for its parent is not told. */
  if (state == 'Z' || state == 'X') return 0;
  sscanf(text, "%*d (%15[^)]", name);
  uint32_t words[] = { pid, parent, getuid() }, device = terminal == 0 ? 0xFFFFFFFFu : (uint32_t)terminal;
  uint64_t seconds = ticks / 100, microseconds = ticks % 100 * 10000;
  memcpy(into + 12, words, sizeof words);
  memcpy(into + 48, name, sizeof name);
  memcpy(into + 100, &group, 4);
  memcpy(into + 108, &device, 4);
  memcpy(into + 120, &seconds, 8);
  memcpy(into + 128, &microseconds, 8);
  return size;
}

int proc_pidpath(int pid, char *into, uint32_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/exe", pid);
  ssize_t length = readlink(path, into, size);
  return length < 0 ? 0 : (int)length;
}

int proc_listallpids(int *into, int size) {
  DIR *all = opendir("/proc");
  int count = 0;
  for (struct dirent *one; (one = readdir(all)) != NULL;) {
    int pid = atoi(one->d_name);
    if (pid <= 0) continue;
    if (into != NULL && (count + 1) * (int)sizeof *into <= size) into[count] = pid;
    if (into == NULL || (count + 1) * (int)sizeof *into <= size) count++;
  }
  closedir(all);
  return count;
}

/* KERN_PROCARGS2. Of the system's own programs the environment is left out. */
int sysctl(int *name, unsigned count, char *into, size_t *length, void *next, size_t next_length) {
  if (count != 3 || name[0] != 1 || name[1] != 49 || next != NULL || next_length != 0) abort();
  char arguments[65536];
  size_t read = bytes_of(name[2], "cmdline", arguments, sizeof arguments);
  if (read == 0 || *length < 2 * sizeof arguments + 64) return -1;
  int32_t number = 0;
  for (size_t at = 0; at < read; at++) number += arguments[at] == 0;
  memcpy(into, &number, 4);
  size_t at = 4 + (size_t)snprintf(into + 4, 64, "/a/program") + 4;
  memset(into + at - 4, 0, 4);
  memcpy(into + at, arguments, read);
  at += read;
  if (!is_mode("protected")) at += bytes_of(name[2], "environ", into + at, 65536);
  *length = at;
  return 0;
}

static void become(const Attributes *how, const Actions *streams, const char *path, char *const argv[], char *const env[]) {
  if (how->flags & SETSID) setsid();
  if (how->disclaimed) {
    FILE *mark = fopen("/proc/self/oom_score_adj", "w");
    if (mark == NULL) abort();
    fprintf(mark, "%d", mark_of(getpid()));
    fclose(mark);
  }
  for (int one = 1; one < 32; one++)
    if ((how->flags & SETSIGDEF) && (how->defaults & (1u << (one - 1)))) signal(one, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  if ((how->flags & SETSIGMASK) && how->mask == 0) sigprocmask(SIG_SETMASK, &none, NULL);
  for (int fd = 0; fd < 1024; fd++) {
    int kept = fd < 32 && (streams->inherited & (1u << fd));
    if (kept) fcntl(fd, F_SETFD, 0);
    else if (how->flags & CLOEXEC_DEFAULT) close(fd);
  }
  if (how->flags & START_SUSPENDED) raise(SIGSTOP);
  execve(path, argv, env);
  _exit(126);
}

int posix_spawn(pid_t *pid, const char *path, Actions **streams, Attributes **how, char *const argv[], char *const env[]) {
  struct stat facts;
  if (stat(path, &facts) != 0) return errno;
  if (S_ISDIR(facts.st_mode) || access(path, X_OK) != 0) return EACCES;
  *pid = fork();
  if (*pid < 0) return errno;
  if (*pid == 0) become(*how, *streams, path, argv, env);
  if ((*how)->flags & START_SUSPENDED) waitpid(*pid, NULL, WUNTRACED);
  if ((*how)->disclaimed) disclaimed_pid = *pid;
  FILE *record = fopen(getenv("STANDIN_RECORD"), "a");
  if (record == NULL) abort();
  fprintf(record, "{\"path\":\"%s\",\"flags\":%d,\"disclaimed\":%d,\"inherited\":%u}\n", path, (*how)->flags, (*how)->disclaimed, (*streams)->inherited);
  fclose(record);
  return 0;
}
