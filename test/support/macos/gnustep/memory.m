/* Memory by the real runtime: NSObject counts, NSAutoreleasePool pools, and what was deallocated stays as an NSZombie. */
#import "objects.h"
#import <Foundation/NSDebug.h>
#import <objc/runtime.h>
#include <pthread.h>

#define MOST_POOLS 64
#define MOST_KNOWN 128

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static NSHashTable *made;
static long headed;
static Class zombie;

/* What others share, as GNUstep does small numbers and the empty text, is nobody's to count. */
CFTypeRef counting(id object) {
  if ([object retainCount] != 1 || [object isKindOfClass:objc_lookUpClass("NSConstantString")]) return object;
  pthread_mutex_lock(&lock);
  NSHashInsert(made, object);
  pthread_mutex_unlock(&lock);
  return object;
}
static int has_ended(const void *object) { return object_getClass((id)object) == zombie; }
static void forget(const void *object) {
  pthread_mutex_lock(&lock);
  NSHashRemove(made, object);
  pthread_mutex_unlock(&lock);
}
/* Zombies are never freed, so what has ended can be told at any time. */
long standin_live_objects(void) {
  pthread_mutex_lock(&lock);
  NSUInteger count = NSCountHashTable(made), ends = 0;
  const void **ended = malloc((count + 1) * sizeof *ended);
  NSHashEnumerator each = NSEnumerateHashTable(made);
  for (const void *object; (object = NSNextHashEnumeratorItem(&each)) != NULL;)
    if (has_ended(object)) ended[ends++] = object;
  NSEndHashTableEnumeration(&each);
  for (NSUInteger i = 0; i < ends; i++) NSHashRemove(made, ended[i]);
  free(ended);
  pthread_mutex_unlock(&lock);
  return (long)(count - ends) + __atomic_load_n(&headed, __ATOMIC_SEQ_CST);
}

/* ---- what is an object ---- */

static struct { Class class; uint32_t type; } known[MOST_KNOWN];
static int known_count;
/* Completions come on threads of their own. */
static pthread_mutex_t knowing = PTHREAD_MUTEX_INITIALIZER;

static int is_class(Class class) {
  int count = objc_getClassList(NULL, 0), is = 0;
  Class *all = malloc((size_t)count * sizeof *all);
  count = objc_getClassList(all, count);
  for (int i = 0; i < count; i++) is |= all[i] == class || object_getClass((id)all[i]) == class;
  free(all);
  return is;
}
static uint32_t type_by_class(Class class) {
  static const struct { const char *name; uint32_t type; } types[] = {
    { "NSString", STRING }, { "NSBoolNumber", BOOLEAN }, { "NSNumber", NUMBER }, { "NSArray", ARRAY }, { "NSDictionary", DICTIONARY },
    { "NSURL", URL }, { "NSAttributedString", ATTRIBUTED }, { "NSUUID", UUID }, { "NSData", DATA },
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    for (Class at = class; at != Nil; at = class_getSuperclass(at))
      if (at == objc_lookUpClass(types[i].name)) return types[i].type;
  return class_isMetaClass(class) ? 0 : INSTANCE;
}
/* Dies where `ref` is none, or one that has ended. */
static uint32_t kind(CFTypeRef ref) {
  if (ref == NULL) die("NULL was given where an object belongs");
  Class class = object_getClass((id)ref);
  if (has_ended(ref)) die("an object was used after its last release");
  pthread_mutex_lock(&knowing);
  int i = 0;
  while (i < known_count && known[i].class != class) i++;
  if (i == known_count) {
    if (class == Nil || !is_class(class)) die("%p is no object", ref);
    if (known_count == MOST_KNOWN) die("too many classes");
    known[i].class = class;
    known[i].type = type_by_class(class);
    known_count++;
  }
  uint32_t type = known[i].type;
  pthread_mutex_unlock(&knowing);
  return type;
}
static int has_header(id object) { return [object isKindOfClass:[StandinObject class]]; }

uint32_t type_of(CFTypeRef ref) {
  uint32_t type = kind(ref);
  return type == INSTANCE && has_header((id)ref) ? ((StandinObject *)ref)->type : type;
}
void *checked(CFTypeRef ref, uint32_t wanted) {
  uint32_t type = type_of(ref);
  if (wanted != 0 && type != wanted) die("an object of type %u was given where one of type %u belongs", type, wanted);
  return (void *)ref;
}

/* ---- counting ---- */

@implementation StandinObject
/* When this module is known to the runtime, and before any constructor of the other sources. */
+ (void)load {
  [NSObject class];
  NSZombieEnabled = YES;
  zombie = objc_lookUpClass("NSZombie");
  made = NSCreateHashTable(NSNonOwnedPointerHashCallBacks, 1024);
}
- (id)retain {
  return retains < 0 ? self : [super retain];
}
- (oneway void)release {
  if (retains >= 0) [super release];
}
- (BOOL)isEqual:(id)other {
  if (self == other) return YES;
  if (type != ELEMENT || !has_header(other) || ((StandinObject *)other)->type != ELEMENT) return NO;
  const Element *one = (const Element *)self, *two = (const Element *)other;
  return one->pid == two->pid && one->element == two->element;
}
- (NSUInteger)hash {
  const Element *element = (const Element *)self;
  if (type != ELEMENT) return (NSUInteger)self;
  return (NSUInteger)element->pid << 20 ^ (NSUInteger)element->element % 64; /* collides */
}
- (void)dealloc {
  end_picture((Header *)self);
  end_item((Header *)self);
  end_listening((Header *)self);
  __atomic_sub_fetch(&headed, 1, __ATOMIC_SEQ_CST);
  [super dealloc];
}
@end

void *make(size_t bytes, uint32_t type) {
  Class class = [StandinObject class];
  StandinObject *object = NSAllocateObject(class, bytes - class_getInstanceSize(class), NSDefaultMallocZone());
  object->magic = 1;
  object->type = type;
  __atomic_add_fetch(&headed, 1, __ATOMIC_SEQ_CST);
  return object;
}
/* The two of Core Foundation live for ever; GNUstep's are objects as others. */
static int is_constant(CFTypeRef ref) { return ref == kCFBooleanTrue || ref == kCFBooleanFalse; }
CFTypeRef retained(CFTypeRef ref) { return is_constant(ref) ? ref : [(id)checked(ref, 0) retain]; }
void released(CFTypeRef ref) {
  if (!is_constant(ref)) [(id)checked(ref, 0) release];
}
CFTypeRef immortal(CFTypeRef ref) {
  if (has_header((id)ref)) {
    ((StandinObject *)ref)->retains = -1;
    __atomic_sub_fetch(&headed, 1, __ATOMIC_SEQ_CST);
  } else forget((id)ref);
  return ref;
}
int counted(CFTypeRef ref) {
  if (has_header((id)checked(ref, 0))) return ((StandinObject *)ref)->retains >= 0;
  pthread_mutex_lock(&lock);
  int is = NSHashGet(made, ref) != NULL;
  pthread_mutex_unlock(&lock);
  return is;
}
CFTypeRef CFRetain(CFTypeRef ref) { return retained(ref); }
void CFRelease(CFTypeRef ref) { released(ref); }

/* ---- pools ---- */

static NSAutoreleasePool *open[MOST_POOLS];
static long pools;

long standin_pools(void) { return pools; }
void *objc_autoreleasePoolPush(void) {
  if (pools == MOST_POOLS) die("too many pools are open");
  return open[pools++] = [[NSAutoreleasePool alloc] init];
}
void objc_autoreleasePoolPop(void *pool) {
  if (pools == 0) die("no pool is open");
  if (open[--pools] != pool) die("a pool is closed that is not the last one");
  [(NSAutoreleasePool *)pool release];
}
CFTypeRef autoreleased(CFTypeRef ref) {
  if (pools == 0) die("an object was autoreleased with no pool in place");
  return [(id)checked(ref, 0) autorelease];
}
