/* Code signatures of running processes, and the part of the language of requirements that says who signed what. */
#include "desktop.h"
#include <stdio.h>
#include <string.h>

#define MOST_SIGNED 16

/* By a developer Apple knows, by Apple, by nobody, or by somebody who only claims a team. */
enum { UNSIGNED, DEVELOPER, SYSTEM_, AD_HOC, CLAIMED };

typedef struct { int32_t pid; int by, changed; char identifier[64], team[32], hash[48]; } Signed;
typedef struct { Header head; int32_t pid; } Code;
typedef struct { Header head; char identifier[64], team[32], hash[48]; int apple; } Requirement;

static Signed all[MOST_SIGNED];
static int count;

const void *kSecGuestAttributePid, *kSecCodeInfoIdentifier, *kSecCodeInfoTeamIdentifier, *kSecCodeInfoUnique;
struct { long version; const void *calls[5]; } kCFTypeDictionaryKeyCallBacks, kCFTypeDictionaryValueCallBacks;

void standin_signed(int pid, int by, const char *identifier, const char *team, const char *hash) {
  Signed *one = NULL;
  for (int i = 0; i < count; i++) if (all[i].pid == pid) one = &all[i];
  if (one == NULL) {
    if (count == MOST_SIGNED) die("too many signatures");
    one = &all[count++];
  }
  *one = (Signed){ .pid = pid, .by = by };
  snprintf(one->identifier, sizeof one->identifier, "%s", identifier);
  snprintf(one->team, sizeof one->team, "%s", team);
  snprintf(one->hash, sizeof one->hash, "%s", hash);
}
/* Its code in memory, or on the disk, is not what was signed. */
void standin_changed_code(int pid) {
  for (int i = 0; i < count; i++) if (all[i].pid == pid) all[i].changed = 1;
}
static Signed *signed_as(int32_t pid) {
  for (int i = 0; i < count; i++) if (all[i].pid == pid) return &all[i];
  return NULL;
}

CFTypeRef CFDictionaryCreate(CFTypeRef allocator, const CFTypeRef *keys, const CFTypeRef *values, long pairs, const void *key_calls, const void *value_calls) {
  if (allocator != NULL || key_calls != &kCFTypeDictionaryKeyCallBacks || value_calls != &kCFTypeDictionaryValueCallBacks) die("a dictionary without its callbacks");
  CFTypeRef kept[2 * pairs + 1];
  for (long i = 0; i < pairs; i++) kept[2 * i] = retained(keys[i]), kept[2 * i + 1] = retained(values[i]);
  return make_dictionary(pairs, kept);
}

int32_t SecCodeCopyGuestWithAttributes(CFTypeRef host, CFTypeRef attributes, uint32_t flags, CFTypeRef *made) {
  CFTypeRef number = CFDictionaryGetValue(attributes, kSecGuestAttributePid);
  if (host != NULL || flags != 0 || number == NULL) die("another guest");
  int32_t pid = (int32_t)number_of(number);
  if (signed_as(pid) == NULL) return -67065; /* no such code */
  Code *code = make(sizeof(Code), CODE);
  code->pid = pid;
  return *made = code, 0;
}

int32_t SecCodeCopySigningInformation(CFTypeRef ref, uint32_t flags, CFTypeRef *made) {
  Signed *one = signed_as(((Code *)checked(ref, CODE))->pid);
  if (flags != 2) die("signing information %u", flags);
  CFTypeRef keys[3], values[3];
  long pairs = 0;
  if (one->by != UNSIGNED) {
    uint8_t hash[20] = { 0 };
    for (size_t i = 0; i < sizeof hash && 2 * i < strlen(one->hash); i++) sscanf(one->hash + 2 * i, "%2hhx", &hash[i]);
    keys[pairs] = kSecCodeInfoIdentifier, values[pairs++] = make_text(one->identifier);
    keys[pairs] = kSecCodeInfoUnique, values[pairs++] = make_data(hash, (long)strlen(one->hash) / 2);
    if (one->team[0] != 0) keys[pairs] = kSecCodeInfoTeamIdentifier, values[pairs++] = make_text(one->team);
  }
  *made = CFDictionaryCreate(NULL, keys, values, pairs, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
  for (long i = 0; i < pairs; i++) released(values[i]);
  return 0;
}

int32_t SecRequirementCreateWithString(CFTypeRef text, uint32_t flags, CFTypeRef *made) {
  char utf8[400];
  Requirement read = { .apple = 0 };
  int end = 0;
  text_bytes(text, utf8, sizeof utf8);
  if (flags != 0) die("a requirement with flags %u", flags);
  tell("requirement %s", utf8);
  if (sscanf(utf8, "anchor apple generic and identifier \"%63[^\"]\" and certificate leaf[subject.OU] = \"%31[^\"]\"%n", read.identifier, read.team, &end) == 2 && utf8[end] == 0) read.apple = 1;
  else if (sscanf(utf8, "anchor apple and identifier \"%63[^\"]\"%n", read.identifier, &end) == 1 && utf8[end] == 0) read.apple = 2;
  else if (sscanf(utf8, "cdhash H\"%47[0-9a-f]\"%n", read.hash, &end) != 1 || utf8[end] != 0) return -67052; /* no requirement */
  Requirement *requirement = make(sizeof(Requirement), REQUIREMENT);
  read.head = requirement->head;
  *requirement = read;
  return *made = requirement, 0;
}

int32_t SecCodeCheckValidity(CFTypeRef ref, uint32_t flags, CFTypeRef wanted) {
  Signed *one = signed_as(((Code *)checked(ref, CODE))->pid);
  Requirement *must = checked(wanted, REQUIREMENT);
  if (flags != 0) die("validity with flags %u", flags);
  if (one->by == UNSIGNED) return -67062;
  if (one->changed) return -67061;
  if (must->hash[0] != 0) return strcmp(must->hash, one->hash) == 0 ? 0 : -67050;
  if (strcmp(must->identifier, one->identifier) != 0) return -67050;
  if (must->apple == 2) return one->by == SYSTEM_ ? 0 : -67050;
  return one->by == DEVELOPER && strcmp(must->team, one->team) == 0 ? 0 : -67050;
}

static CFTypeRef constant(const char *name) { return immortal(make_text(name)); }
__attribute__((constructor)) static void start(void) {
  kSecGuestAttributePid = constant("pid");
  kSecCodeInfoIdentifier = constant("identifier");
  kSecCodeInfoTeamIdentifier = constant("teamid");
  kSecCodeInfoUnique = constant("unique");
}
