/* Core Foundation as it is on a Mac: the functions of a class of Foundation. */
#import "objects.h"
#include <stdlib.h>
#include <string.h>

const void *kCFBooleanTrue, *kCFBooleanFalse;
struct { long version; const void *calls[4]; } kCFTypeArrayCallBacks;

/* What GNUstep autoreleases for itself while it makes one thing. */
#define WITHIN_POOL(type, expression)                            \
  ({                                                             \
    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];  \
    type result = (expression);                                  \
    [pool release];                                              \
    result;                                                      \
  })
#define MADE(expression) counting(WITHIN_POOL(id, (expression)))

static void no_allocator(CFTypeRef allocator) {
  if (allocator != NULL) die("an allocator was given");
}

/* ---- texts ---- */

@implementation StandinUnits
+ (void)load {
  kCFBooleanTrue = immortal(WITHIN_POOL(id, [[NSNumber numberWithBool:YES] retain]));
  kCFBooleanFalse = immortal(WITHIN_POOL(id, [[NSNumber numberWithBool:NO] retain]));
}
- (id)initWithUnits:(const uint16_t *)from length:(long)count {
  length = count;
  units = malloc(2 * (size_t)count + 2);
  memcpy(units, from, 2 * (size_t)count);
  return self;
}
- (NSUInteger)length {
  return (NSUInteger)length;
}
- (unichar)characterAtIndex:(NSUInteger)index {
  return units[index];
}
- (void)getCharacters:(unichar *)to range:(NSRange)range {
  memcpy(to, units + range.location, 2 * range.length);
}
- (void)dealloc {
  free(units);
  [super dealloc];
}
@end

CFTypeRef CFStringCreateWithCharacters(CFTypeRef allocator, const uint16_t *units, long count) {
  no_allocator(allocator);
  id text = WITHIN_POOL(id, [[NSString alloc] initWithCharacters:units length:(NSUInteger)count]);
  return counting(text != nil ? text : [[StandinUnits alloc] initWithUnits:units length:count]);
}
long CFStringGetLength(CFTypeRef ref) { return (long)[(NSString *)checked(ref, STRING) length]; }
void CFStringGetCharacters(CFTypeRef ref, long from, long count, uint16_t *units) {
  NSString *text = checked(ref, STRING);
  if (from < 0 || count < 0 || from + count > (long)[text length]) die("characters %ld + %ld of %ld", from, count, (long)[text length]);
  [text getCharacters:units range:NSMakeRange((NSUInteger)from, (NSUInteger)count)];
}
CFTypeRef make_text(const char *utf8) {
  uint16_t *units = malloc(2 * strlen(utf8) + 2);
  CFTypeRef text = CFStringCreateWithCharacters(NULL, units, units_of(utf8, units));
  free(units);
  return text;
}
void text_bytes(CFTypeRef ref, char *utf8, size_t room) {
  long length = CFStringGetLength(ref);
  uint16_t *units = malloc(2 * (size_t)length + 2);
  CFStringGetCharacters(ref, 0, length, units);
  utf8_of(units, length, utf8, room);
  free(units);
}

CFTypeRef make_wrapped(uint32_t type, CFTypeRef text) {
  NSString *inside = checked(text, STRING);
  if (type == ATTRIBUTED) return MADE([[NSAttributedString alloc] initWithString:inside]);
  if (type == UUID) return MADE([[NSUUID alloc] initWithUUIDString:inside]);
  if (type != URL) die("nothing of type %u is made of a text", type);
  return MADE([[NSURL alloc] initWithString:inside]);
}
/* Borrowed from what it is of, which keeps it. */
CFTypeRef CFAttributedStringGetString(CFTypeRef ref) { return WITHIN_POOL(id, [(NSAttributedString *)checked(ref, ATTRIBUTED) string]); }
CFTypeRef CFURLGetString(CFTypeRef ref) { return WITHIN_POOL(id, [(NSURL *)checked(ref, URL) absoluteString]); }
CFTypeRef CFUUIDCreateString(CFTypeRef allocator, CFTypeRef ref) {
  no_allocator(allocator);
  return MADE([[(NSUUID *)checked(ref, UUID) UUIDString] retain]);
}

/* ---- lists, dictionaries, data ---- */

CFTypeRef make_array(long count, const CFTypeRef *items) {
  return MADE([[NSArray alloc] initWithObjects:(const id *)items count:(NSUInteger)count]);
}
CFTypeRef CFArrayCreate(CFTypeRef allocator, const CFTypeRef *items, long count, const void *callbacks) {
  no_allocator(allocator);
  if (callbacks != &kCFTypeArrayCallBacks) die("%p are no callbacks", callbacks);
  for (long i = 0; i < count; i++) checked(items[i], 0);
  return make_array(count, items);
}
long CFArrayGetCount(CFTypeRef ref) { return (long)[(NSArray *)checked(ref, ARRAY) count]; }
void CFArrayGetValues(CFTypeRef ref, long from, long count, CFTypeRef *items) {
  NSArray *array = checked(ref, ARRAY);
  if (from < 0 || count < 0 || from + count > (long)[array count]) die("items %ld + %ld of %ld", from, count, (long)[array count]);
  [array getObjects:(id *)items range:NSMakeRange((NSUInteger)from, (NSUInteger)count)];
}
CFTypeRef make_dictionary(long count, const CFTypeRef *pairs) {
  id keys[count + 1], values[count + 1];
  for (long i = 0; i < count; i++) keys[i] = (id)pairs[2 * i], values[i] = (id)pairs[2 * i + 1];
  CFTypeRef made = MADE([[NSDictionary alloc] initWithObjects:values forKeys:keys count:(NSUInteger)count]);
  for (long i = 0; i < 2 * count; i++) released(pairs[i]);
  return made;
}
CFTypeRef CFDictionaryGetValue(CFTypeRef ref, CFTypeRef key) {
  return [(NSDictionary *)checked(ref, DICTIONARY) objectForKey:(id)checked(key, 0)];
}
CFTypeRef make_data(const void *bytes, long length) {
  return MADE([[NSData alloc] initWithBytes:bytes length:(NSUInteger)length]);
}
CFTypeRef CFDataCreate(CFTypeRef allocator, const uint8_t *bytes, long length) {
  no_allocator(allocator);
  return make_data(bytes, length);
}
long CFDataGetLength(CFTypeRef data) { return (long)[(NSData *)checked(data, DATA) length]; }
const uint8_t *CFDataGetBytePtr(CFTypeRef data) { return [(NSData *)checked(data, DATA) bytes]; }
void CFDataGetBytes(CFTypeRef ref, long from, long count, uint8_t *bytes) {
  NSData *data = checked(ref, DATA);
  if (from < 0 || count < 0 || from + count > (long)[data length]) die("bytes %ld + %ld of %ld", from, count, (long)[data length]);
  [data getBytes:bytes range:NSMakeRange((NSUInteger)from, (NSUInteger)count)];
}

/* ---- numbers, errors ---- */

CFTypeRef make_integer(int64_t number) { return MADE([[NSNumber alloc] initWithLongLong:number]); }
CFTypeRef make_double(double number) { return MADE([[NSNumber alloc] initWithDouble:number]); }
CFTypeRef make_boolean(int value) { return value ? kCFBooleanTrue : kCFBooleanFalse; }
double number_of(CFTypeRef ref) { return [(NSNumber *)checked(ref, NUMBER) doubleValue]; }
unsigned char CFBooleanGetValue(CFTypeRef ref) { return [(NSNumber *)checked(ref, BOOLEAN) boolValue]; }
CFTypeRef CFNumberCreate(CFTypeRef allocator, long type, const void *at) {
  no_allocator(allocator);
  if (type == 4) return make_integer(*(const int64_t *)at);
  if (type == 6) return make_double(*(const double *)at);
  die("number type %ld", type);
}
unsigned char CFNumberIsFloatType(CFTypeRef ref) { return strchr("fd", *[(NSNumber *)checked(ref, NUMBER) objCType]) != NULL; }
unsigned char CFNumberGetValue(CFTypeRef ref, long type, void *at) {
  NSNumber *number = checked(ref, NUMBER);
  if (type == 4) *(int64_t *)at = [number longLongValue];
  else if (type == 6) *(double *)at = [number doubleValue];
  else die("number type %ld", type);
  return 1;
}
CFTypeRef make_error(long code) { return MADE([[NSError alloc] initWithDomain:@"com.apple.ScreenCaptureKit" code:code userInfo:nil]); }

/* ---- of all ---- */

unsigned long CFGetTypeID(CFTypeRef ref) { return type_of(ref); }
int same(CFTypeRef a, CFTypeRef b) { return [(id)checked(a, 0) isEqual:(id)checked(b, 0)]; }
unsigned char CFEqual(CFTypeRef a, CFTypeRef b) { return (unsigned char)same(a, b); }
unsigned long CFHash(CFTypeRef ref) { return [(id)checked(ref, 0) hash]; }
