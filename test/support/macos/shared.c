#define _GNU_SOURCE
/* What does not depend on whose runtime and values are below: UTF-16, structures of accessibility, and how a test ends that did wrong. */
#include "objects.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void die(const char *format, ...) {
  va_list given;
  va_start(given, format);
  fputs("stand-in: ", stderr);
  vfprintf(stderr, format, given);
  fputc('\n', stderr);
  va_end(given);
  abort();
}

void on_main_thread(const char *name) {
  if (syscall(SYS_gettid) != getpid()) die("%s was called off the main thread", name);
}

long units_of(const char *utf8, uint16_t *units) {
  const unsigned char *at = (const unsigned char *)utf8;
  long length = 0;
  while (*at) {
    uint32_t code = *at, more = code < 0x80 ? 0 : code < 0xE0 ? 1 : code < 0xF0 ? 2 : 3;
    if (more) code &= 0x3F >> more;
    for (at++; more > 0; more--) code = code << 6 | (*at++ & 0x3F);
    if (code < 0x10000) units[length++] = code;
    else {
      units[length++] = 0xD800 + ((code - 0x10000) >> 10);
      units[length++] = 0xDC00 + ((code - 0x10000) & 0x3FF);
    }
  }
  return length;
}

void utf8_of(const uint16_t *units, long length, char *utf8, size_t room) {
  size_t used = 0;
  for (long i = 0; i < length && used + 5 < room; i++) {
    uint32_t code = units[i];
    if (code >= 0xD800 && code < 0xDC00 && i + 1 < length) code = 0x10000 + ((code - 0xD800) << 10) + (units[++i] - 0xDC00);
    if (code < 0x80) utf8[used++] = code;
    else if (code < 0x800) utf8[used++] = 0xC0 | code >> 6, utf8[used++] = 0x80 | (code & 0x3F);
    else {
      if (code < 0x10000) utf8[used++] = 0xE0 | code >> 12;
      else utf8[used++] = 0xF0 | code >> 18, utf8[used++] = 0x80 | (code >> 12 & 0x3F);
      utf8[used++] = 0x80 | (code >> 6 & 0x3F), utf8[used++] = 0x80 | (code & 0x3F);
    }
  }
  utf8[used] = 0;
}

int text_is(CFTypeRef ref, const char *utf8) {
  char bytes[512];
  text_bytes(ref, bytes, sizeof bytes);
  return strcmp(bytes, utf8) == 0;
}

/* ---- numbers of types ---- */

unsigned long CFStringGetTypeID(void) { return STRING; }
unsigned long CFArrayGetTypeID(void) { return ARRAY; }
unsigned long CFDictionaryGetTypeID(void) { return DICTIONARY; }
unsigned long CFBooleanGetTypeID(void) { return BOOLEAN; }
unsigned long CFNumberGetTypeID(void) { return NUMBER; }
unsigned long CFURLGetTypeID(void) { return URL; }
unsigned long CFAttributedStringGetTypeID(void) { return ATTRIBUTED; }

/* ---- AXValue ---- */

CFTypeRef make_value(uint32_t kind, const double *numbers) {
  Value *value = make(sizeof(Value), VALUE);
  value->kind = kind;
  memcpy(value->numbers, numbers, (kind == 3 ? 4 : 2) * sizeof(double));
  return value;
}
unsigned long AXValueGetTypeID(void) { return VALUE; }
CFTypeRef AXValueCreate(uint32_t kind, const void *at) {
  if (kind < 1 || kind > 3) die("AXValue of kind %u", kind);
  return make_value(kind, at);
}
uint32_t AXValueGetType(CFTypeRef ref) { return ((Value *)checked(ref, VALUE))->kind; }
unsigned char AXValueGetValue(CFTypeRef ref, uint32_t kind, void *at) {
  Value *value = checked(ref, VALUE);
  if (value->kind != kind) return 0;
  if (kind == 5) *(int32_t *)at = value->code;
  else memcpy(at, value->numbers, (kind == 3 ? 4 : 2) * sizeof(double));
  return 1;
}

/* ---- for tests of conversions ---- */

CFTypeRef standin_wrapped(uint32_t type, const char *utf8) {
  CFTypeRef text = make_text(utf8), wrapped = make_wrapped(type, text);
  released(text);
  return wrapped;
}
CFTypeRef standin_error_value(int32_t code) {
  Value *value = make(sizeof(Value), VALUE);
  value->kind = 5;
  value->code = code;
  return value;
}
CFTypeRef standin_rect_value(double x, double y, double width, double height) {
  double numbers[] = { x, y, width, height };
  return make_value(3, numbers);
}
CFTypeRef standin_double(double number) { return make_double(number); }
