/* posix_spawn with the attributes of macOS: writes down what it is given, then runs the program by fork and exec. STANDIN_RECORD is the
   file; STANDIN_MODE is `refuses` (to disclaim) or `inherits` (it succeeds, and changes nothing). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

int responsibility_get_pid_responsible_for_pid(pid_t pid) { return pid == disclaimed_pid && !is_mode("inherits") ? pid : getpid(); }

static void become(const Attributes *how, const Actions *streams, const char *path, char *const argv[], char *const env[]) {
  if (how->flags & SETSID) setsid();
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
