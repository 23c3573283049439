/* A small Objective-C runtime: classes without inheritance, selectors, pools, and message sends with the real calling convention. */
#include "runtime.h"
#include <stdlib.h>
#include <string.h>

struct Class { Header head; const char *name; Class *meta; const Method *methods; };

#define MOST_CLASSES 64
#define MOST_SELECTORS 256
#define MOST_POOLED 200000
#define MOST_POOLS 64

static Class classes[MOST_CLASSES], metaclasses[MOST_CLASSES];
static int class_count;
static const char *selectors[MOST_SELECTORS];
static int selector_count;

Class *class_named(const char *name, const Method *of_class, const Method *of_instances) {
  Class *made = &classes[class_count], *meta = &metaclasses[class_count++];
  *made = (Class){ { meta, 0xC0FFEE01u, INSTANCE, -1 }, name, meta, of_instances };
  *meta = (Class){ { NULL, 0xC0FFEE01u, INSTANCE, -1 }, name, NULL, of_class };
  return made;
}

static const char *absent = "";
void class_missing(const char *name, int missing) { absent = missing ? name : ""; }

Class *objc_getClass(const char *name) {
  for (int i = 0; i < class_count; i++)
    if (strcmp(name, absent) != 0 && strcmp(classes[i].name, name) == 0) return &classes[i];
  return NULL;
}

const char *sel_registerName(const char *name) {
  for (int i = 0; i < selector_count; i++)
    if (strcmp(selectors[i], name) == 0) return selectors[i];
  if (selector_count == MOST_SELECTORS) die("too many selectors");
  return selectors[selector_count++] = strdup(name);
}

const char *selector_name(const void *selector) { return selector; }

void *standin_method(CFTypeRef receiver, const char *selector) {
  Header *head = checked(receiver, 0);
  int known = 0;
  for (int i = 0; i < selector_count; i++) known |= selectors[i] == selector;
  if (!known) die("%p is no selector", (const void *)selector);
  if (head->isa == NULL) die("%s was sent to an object without a class", selector);
  for (const Method *method = head->isa->methods; method->selector != NULL; method++)
    if (strcmp(method->selector, selector) == 0) return method->code;
  die("-[%s %s]: unrecognized selector", head->isa->name, selector);
}

/* ---- pools ---- */

static CFTypeRef pooled[MOST_POOLED];
static long pooled_count, pools, opened_at[MOST_POOLS];

long standin_pools(void) { return pools; }

void *objc_autoreleasePoolPush(void) {
  if (pools == MOST_POOLS) die("too many pools are open");
  opened_at[pools] = pooled_count;
  return &opened_at[pools++];
}
void objc_autoreleasePoolPop(void *pool) {
  if (pools == 0) die("no pool is open");
  if (pool != &opened_at[--pools]) die("a pool is closed that is not the last one");
  while (pooled_count > opened_at[pools]) released(pooled[--pooled_count]);
}
CFTypeRef autoreleased(CFTypeRef ref) {
  if (pools == 0) die("an object was autoreleased with no pool in place");
  if (pooled_count == MOST_POOLED) die("the pool is full");
  return pooled[pooled_count++] = ref;
}
