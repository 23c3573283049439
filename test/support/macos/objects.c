#define _GNU_SOURCE
/* Memory, values and Core Foundation, written for these tests: quick, and strict about everything. */
#include "runtime.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct { Header head; long length; uint16_t units[]; } String;
typedef struct { Header head; int is_float; double number; int64_t integer; } Number;
typedef struct { Header head; int value; } Boolean_;
typedef struct { Header head; long count; int retains_items; CFTypeRef items[]; } Array;
typedef struct { Header head; long count; CFTypeRef pairs[]; } Dictionary;
typedef struct { Header head; CFTypeRef text; } Wrapped; /* URL, attributed string, UUID */
typedef struct { Header head; long length; uint8_t bytes[]; } Data;
typedef struct { Header head; long code; } Error;

#define LIVE 0xC0FFEE01u
#define ENDED 0xDEADDEADu
#define KEPT_ENDED 4096

/* Completions release on threads of their own. */
static pthread_mutex_t counting = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static long live_objects;
static Header *ended[KEPT_ENDED];
static size_t ended_next;

/* As on arm64: numbers and short texts are no addresses, and have bit 63 set. */
#define TAG ((uintptr_t)1 << 63)
#define MOST_TAGGED_UNITS 7
static CFTypeRef tagged(void *object) { return (CFTypeRef)((uintptr_t)object | TAG); }

long standin_live_objects(void) { return live_objects; }

void *make(size_t bytes, uint32_t type) {
  Header *head = calloc(1, bytes);
  head->magic = LIVE;
  head->type = type;
  head->retains = 1;
  pthread_mutex_lock(&counting);
  live_objects++;
  pthread_mutex_unlock(&counting);
  return head;
}

void *checked(CFTypeRef ref, uint32_t type) {
  const Header *head = (const Header *)((uintptr_t)ref & ~TAG);
  if (head == NULL) die("NULL was given where an object belongs");
  if (head->magic == ENDED) die("an object of type %u was used after its last release", head->type);
  if (head->magic != LIVE) die("%p is no object", ref);
  if (type != 0 && head->type != type) die("an object of type %u was given where one of type %u belongs", head->type, type);
  return (void *)head;
}

CFTypeRef retained(CFTypeRef ref) {
  Header *head = checked(ref, 0);
  pthread_mutex_lock(&counting);
  if (head->retains > 0) head->retains++;
  pthread_mutex_unlock(&counting);
  return ref;
}

CFTypeRef immortal(CFTypeRef ref) {
  ((Header *)checked(ref, 0))->retains = -1;
  live_objects--;
  return ref;
}
int counted(CFTypeRef ref) { return ((Header *)checked(ref, 0))->retains > 0; }
uint32_t type_of(CFTypeRef ref) { return ((Header *)checked(ref, 0))->type; }

static void end(Header *head) {
  end_picture(head);
  end_item(head);
  end_listening(head);
  if (head->type == ARRAY && ((Array *)head)->retains_items)
    for (long i = 0; i < ((Array *)head)->count; i++) released(((Array *)head)->items[i]);
  if (head->type == DICTIONARY)
    for (long i = 0; i < 2 * ((Dictionary *)head)->count; i++) released(((Dictionary *)head)->pairs[i]);
  if (head->type == URL || head->type == ATTRIBUTED || head->type == UUID) released(((Wrapped *)head)->text);
  head->magic = ENDED;
  live_objects--;
  free(ended[ended_next]);
  ended[ended_next] = head;
  ended_next = (ended_next + 1) % KEPT_ENDED;
}

void released(CFTypeRef ref) {
  Header *head = checked(ref, 0);
  if (head->retains < 0) return;
  pthread_mutex_lock(&counting);
  if (--head->retains == 0) end(head);
  pthread_mutex_unlock(&counting);
}

/* ---- values ---- */

CFTypeRef make_text(const char *utf8) {
  String *text = make(sizeof(String) + 2 * strlen(utf8) + 2, STRING);
  text->length = units_of(utf8, text->units);
  return text->length > MOST_TAGGED_UNITS ? text : tagged(text);
}
void text_bytes(CFTypeRef ref, char *utf8, size_t room) {
  String *text = checked(ref, STRING);
  utf8_of(text->units, text->length, utf8, room);
}

CFTypeRef make_integer(int64_t integer) {
  Number *number = make(sizeof(Number), NUMBER);
  number->integer = integer;
  number->number = integer;
  return tagged(number);
}

CFTypeRef make_double(double value) {
  Number *number = make(sizeof(Number), NUMBER);
  number->is_float = 1;
  number->number = value;
  number->integer = (int64_t)value;
  return number;
}

static Boolean_ yes = { { NULL, LIVE, BOOLEAN, -1 }, 1 }, no = { { NULL, LIVE, BOOLEAN, -1 }, 0 };
const void *kCFBooleanTrue = &yes, *kCFBooleanFalse = &no;
CFTypeRef make_boolean(int value) { return value ? &yes : &no; }

static CFTypeRef array_of(long count, const CFTypeRef *items, int keeps) {
  Array *array = make(sizeof(Array) + count * sizeof(CFTypeRef), ARRAY);
  array->count = count;
  array->retains_items = keeps;
  for (long i = 0; i < count; i++) array->items[i] = keeps ? retained(items[i]) : items[i];
  return array;
}

CFTypeRef make_array(long count, const CFTypeRef *items) { return array_of(count, items, 1); }

CFTypeRef make_dictionary(long count, const CFTypeRef *pairs) {
  Dictionary *dictionary = make(sizeof(Dictionary) + 2 * count * sizeof(CFTypeRef), DICTIONARY);
  dictionary->count = count;
  memcpy(dictionary->pairs, pairs, 2 * count * sizeof(CFTypeRef));
  return dictionary;
}

CFTypeRef make_wrapped(uint32_t type, CFTypeRef text) {
  Wrapped *wrapped = make(sizeof(Wrapped), type);
  wrapped->text = retained(checked(text, STRING));
  return wrapped;
}

static Class *error_class;
CFTypeRef make_error(long code) {
  Error *error = make(sizeof(Error), INSTANCE);
  error->head.isa = error_class;
  error->code = code;
  return error;
}
static long error_code(CFTypeRef self) { return ((Error *)checked(self, INSTANCE))->code; }
static const Method none[] = { { NULL, NULL } }, error_methods[] = { { "code", error_code }, { NULL, NULL } };
__attribute__((constructor)) static void start(void) { error_class = class_named("NSError", none, error_methods); }

double number_of(CFTypeRef ref) { return ((Number *)checked(ref, NUMBER))->number; }

int same(CFTypeRef a, CFTypeRef b) {
  Header *one = checked(a, 0), *other = checked(b, 0);
  if (one == other) return 1;
  if (one->type != other->type) return 0;
  if (one->type == STRING) {
    String *s = (String *)one, *t = (String *)other;
    return s->length == t->length && memcmp(s->units, t->units, 2 * s->length) == 0;
  }
  if (one->type == NUMBER) return ((Number *)one)->number == ((Number *)other)->number;
  if (one->type == ELEMENT) return ((Element *)one)->pid == ((Element *)other)->pid && ((Element *)one)->element == ((Element *)other)->element;
  return 0;
}

/* ---- CoreFoundation ---- */

struct { long version; const void *calls[4]; } kCFTypeArrayCallBacks;

CFTypeRef CFRetain(CFTypeRef ref) { return retained(ref); }
void CFRelease(CFTypeRef ref) { released(ref); }
unsigned long CFGetTypeID(CFTypeRef ref) { return ((Header *)checked(ref, 0))->type; }
unsigned char CFEqual(CFTypeRef a, CFTypeRef b) { return same(a, b); }
unsigned long CFHash(CFTypeRef ref) {
  Header *head = checked(ref, 0);
  if (head->type == ELEMENT) return (unsigned long)((Element *)head)->pid << 20 ^ ((Element *)head)->element % 64; /* collides */
  return (unsigned long)head;
}
CFTypeRef CFStringCreateWithCharacters(CFTypeRef allocator, const uint16_t *units, long count) {
  if (allocator != NULL) die("an allocator was given");
  String *text = make(sizeof(String) + 2 * count, STRING);
  text->length = count;
  memcpy(text->units, units, 2 * count);
  return count > MOST_TAGGED_UNITS ? text : tagged(text);
}
long CFStringGetLength(CFTypeRef ref) { return ((String *)checked(ref, STRING))->length; }
void CFStringGetCharacters(CFTypeRef ref, long from, long count, uint16_t *units) {
  String *text = checked(ref, STRING);
  if (from < 0 || count < 0 || from + count > text->length) die("characters %ld + %ld of %ld", from, count, text->length);
  memcpy(units, text->units + from, 2 * count);
}
CFTypeRef CFAttributedStringGetString(CFTypeRef ref) { return ((Wrapped *)checked(ref, ATTRIBUTED))->text; }
CFTypeRef CFURLGetString(CFTypeRef ref) { return ((Wrapped *)checked(ref, URL))->text; }
CFTypeRef CFUUIDCreateString(CFTypeRef allocator, CFTypeRef ref) {
  if (allocator != NULL) die("an allocator was given");
  return retained(((Wrapped *)checked(ref, UUID))->text);
}
CFTypeRef CFArrayCreate(CFTypeRef allocator, const CFTypeRef *items, long count, const void *callbacks) {
  if (allocator != NULL) die("an allocator was given");
  if (callbacks != NULL && callbacks != &kCFTypeArrayCallBacks) die("%p are no callbacks", callbacks);
  return array_of(count, items, callbacks != NULL);
}
long CFArrayGetCount(CFTypeRef ref) { return ((Array *)checked(ref, ARRAY))->count; }
void CFArrayGetValues(CFTypeRef ref, long from, long count, CFTypeRef *items) {
  Array *array = checked(ref, ARRAY);
  if (from < 0 || count < 0 || from + count > array->count) die("items %ld + %ld of %ld", from, count, array->count);
  memcpy(items, array->items + from, count * sizeof *items);
}
CFTypeRef CFDictionaryGetValue(CFTypeRef ref, CFTypeRef key) {
  Dictionary *dictionary = checked(ref, DICTIONARY);
  for (long i = 0; i < dictionary->count; i++)
    if (same(dictionary->pairs[2 * i], key)) return dictionary->pairs[2 * i + 1];
  return NULL;
}
unsigned char CFBooleanGetValue(CFTypeRef ref) { return ((Boolean_ *)checked(ref, BOOLEAN))->value; }
CFTypeRef CFNumberCreate(CFTypeRef allocator, long type, const void *at) {
  if (allocator != NULL) die("an allocator was given");
  if (type == 4) return make_integer(*(const int64_t *)at);
  if (type == 6) return make_double(*(const double *)at);
  die("number type %ld", type);
}
unsigned char CFNumberIsFloatType(CFTypeRef ref) { return ((Number *)checked(ref, NUMBER))->is_float; }
unsigned char CFNumberGetValue(CFTypeRef ref, long type, void *at) {
  Number *number = checked(ref, NUMBER);
  if (type == 4) *(int64_t *)at = number->integer;
  else if (type == 6) *(double *)at = number->number;
  else die("number type %ld", type);
  return 1;
}

CFTypeRef make_data(const void *bytes, long length) {
  Data *data = make(sizeof(Data) + length + 1, DATA);
  data->length = length;
  memcpy(data->bytes, bytes, length);
  return data;
}
CFTypeRef CFDataCreate(CFTypeRef allocator, const uint8_t *bytes, long length) {
  if (allocator != NULL) die("an allocator was given");
  return make_data(bytes, length);
}
long CFDataGetLength(CFTypeRef data) { return ((Data *)checked(data, DATA))->length; }
const uint8_t *CFDataGetBytePtr(CFTypeRef data) { return ((Data *)checked(data, DATA))->bytes; }
void CFDataGetBytes(CFTypeRef ref, long from, long count, uint8_t *bytes) {
  Data *data = checked(ref, DATA);
  if (from < 0 || count < 0 || from + count > data->length) die("bytes %ld + %ld of %ld", from, count, data->length);
  memcpy(bytes, data->bytes + from, count);
}
