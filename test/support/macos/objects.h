/* Objects of the stand-in libraries: counted, checked on every use, poisoned when they end. */
#pragma once
#include <stdint.h>
#include <stddef.h>

typedef const void *CFTypeRef;
typedef struct Class Class; /* of the runtime; nothing here looks into it */

enum { STRING = 1, NUMBER, BOOLEAN, ARRAY, DICTIONARY, URL, ATTRIBUTED, UUID, MODE, ELEMENT, VALUE, INSTANCE, SOURCE, EVENT, KEYBOARD, DATA, IMAGE, PROVIDER, SPACE, CONTEXT, ITEM, PORT, LOOP_SOURCE, OBSERVER, CODE, REQUIREMENT };

typedef struct {
  Class *isa;
  uint32_t magic;
  uint32_t type;
  long retains; /* below 0: lives for ever */
} Header;

typedef struct { Header head; size_t width, pixels; } Mode;
typedef struct { Header head; int32_t pid; int32_t element; } Element; /* element 0: the application; pid 0: the system */
typedef struct { Header head; uint32_t kind; double numbers[4]; int32_t code; } Value;
typedef struct { Header head; int32_t pid; } Instance;

void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void on_main_thread(const char *name);
long units_of(const char *utf8, uint16_t *units);
void utf8_of(const uint16_t *units, long length, char *utf8, size_t room);

/* Of one that has a header: an element, an event, a picture. Everything else is made below, and read by the functions of Core Foundation. */
void *make(size_t bytes, uint32_t type);
void *checked(CFTypeRef ref, uint32_t type); /* type 0: any */
uint32_t type_of(CFTypeRef ref);
CFTypeRef retained(CFTypeRef ref);
void released(CFTypeRef ref);
CFTypeRef autoreleased(CFTypeRef ref);
CFTypeRef immortal(CFTypeRef ref); /* belongs to nobody from here on, and is counted no more */
int counted(CFTypeRef ref);
/* What ends with one that has a header. */
void end_picture(Header *head);
void end_item(Header *head);
void end_listening(Header *head);

CFTypeRef make_text(const char *utf8);
CFTypeRef make_integer(int64_t number);
CFTypeRef make_double(double number);
CFTypeRef make_boolean(int value); /* immortal */
CFTypeRef make_array(long count, const CFTypeRef *items);
CFTypeRef make_dictionary(long count, const CFTypeRef *pairs); /* takes over its keys and values */
CFTypeRef make_data(const void *bytes, long length);
CFTypeRef make_wrapped(uint32_t type, CFTypeRef text); /* a URL, a styled text, a UUID */
CFTypeRef make_error(long code);
CFTypeRef make_value(uint32_t kind, const double *numbers);
int same(CFTypeRef a, CFTypeRef b);
int text_is(CFTypeRef text, const char *utf8);
void text_bytes(CFTypeRef text, char *utf8, size_t room);
double number_of(CFTypeRef number);

CFTypeRef CFStringCreateWithCharacters(CFTypeRef allocator, const uint16_t *units, long count);
long CFStringGetLength(CFTypeRef ref);
void CFStringGetCharacters(CFTypeRef ref, long from, long count, uint16_t *units);
long CFArrayGetCount(CFTypeRef ref);
void CFArrayGetValues(CFTypeRef ref, long from, long count, CFTypeRef *items);
CFTypeRef CFDictionaryGetValue(CFTypeRef ref, CFTypeRef key);
unsigned char CFBooleanGetValue(CFTypeRef ref);
long CFDataGetLength(CFTypeRef data);
const uint8_t *CFDataGetBytePtr(CFTypeRef data);
CFTypeRef CFURLGetString(CFTypeRef ref);
