/* Events that are posted, with the habits of the system: what lacks its numbers or flags does nothing, and nobody says so. */
#include "desktop.h"
#include "runtime.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int32_t UCKeyTranslate(const void *layout, uint16_t code, uint16_t action, uint32_t modifiers, uint32_t keyboard, uint32_t options, uint32_t *dead, unsigned long room, unsigned long *length, uint16_t *units);

typedef struct { double x, y; } Point;
typedef struct { Header head; int32_t state; int64_t user_data; double interval; uint32_t filters[2]; } Source;
typedef struct {
  Header head;
  uint32_t type, button, code, unit;
  int down, from_source, permits_person, text_count, scroll[2];
  Point at;
  uint64_t flags;
  int64_t fields[200];
  uint16_t text[32];
} Event;

enum { SHIFT = 131072, CONTROL = 262144, OPTION = 524288, COMMAND = 1048576, PAD = 2097152, FN = 8388608 };
enum { FIELD_NUMBER = 0, FIELD_CLICKS = 1, FIELD_DX = 4, FIELD_DY = 5, FIELD_PID = 41, FIELD_USER = 42 };

static struct {
  int may_post, late_reads, secure, composing, other_layout, input_mode;
  Point at, next;
  uint64_t held;
  int down[128], buttons[8];
  uint32_t media;
  int64_t number;
  uint32_t dead;
  uint16_t typed[4096];
  int typed_count;
} input;

void reset_input(void) {
  memset(&input, 0, sizeof input);
  input.may_post = 1;
}
void standin_may_post(int may) { input.may_post = may; }
void pointer_moves(double x, double y) { input.at.x = x, input.at.y = y; }
const char *standin_pointer(void) {
  static char text[60];
  snprintf(text, sizeof text, "[%g,%g]", input.at.x, input.at.y);
  return text;
}
void standin_secure_input(int on) { input.secure = on; }
void standin_composing(int on) { input.composing = on; }
void standin_other_layout(int on) { input.other_layout = on; }
/* As of an input mode, which has no layout of its own. */
void standin_input_mode(int on) { input.input_mode = on; }
void standin_person_holds(uint32_t flags) { input.held |= flags; }
int standin_held_keys(void) {
  int count = 0;
  for (int i = 0; i < 128; i++) count += input.down[i];
  for (int i = 0; i < 8; i++) count += input.buttons[i];
  return count + __builtin_popcount(input.media);
}
const char *standin_typed(void) {
  static char utf8[8192];
  CFTypeRef text = CFStringCreateWithCharacters(NULL, input.typed, input.typed_count);
  text_bytes(text, utf8, sizeof utf8);
  released(text);
  return utf8;
}

CFTypeRef CGEventSourceCreate(int32_t state) {
  Source *source = make(sizeof(Source), SOURCE);
  source->state = state;
  source->interval = 0.25;
  return source;
}
void CGEventSourceSetUserData(CFTypeRef source, int64_t data) { ((Source *)checked(source, SOURCE))->user_data = data; }
void CGEventSourceSetLocalEventsSuppressionInterval(CFTypeRef source, double seconds) { ((Source *)checked(source, SOURCE))->interval = seconds; }
void CGEventSourceSetLocalEventsFilterDuringSuppressionState(CFTypeRef source, uint32_t filter, uint32_t state) {
  if (state > 1) die("suppression state %u", state);
  ((Source *)checked(source, SOURCE))->filters[state] = filter;
}

static Event *event_of(CFTypeRef source, uint32_t type) {
  Event *event = make(sizeof(Event), EVENT);
  event->type = type;
  event->permits_person = 1;
  if (source == NULL) return event;
  Source *from = checked(source, SOURCE);
  event->from_source = 1;
  event->fields[FIELD_USER] = from->user_data;
  event->permits_person = from->interval == 0 && from->filters[0] == 7 && from->filters[1] == 7;
  if (from->state == 1) event->flags = input.held;
  return event;
}
/* The pointer arrives a moment after its event. */
CFTypeRef CGEventCreate(CFTypeRef source) {
  Event *event = event_of(source, 0);
  if (input.late_reads > 0 && --input.late_reads == 0) input.at = input.next;
  event->at = input.at;
  return event;
}
Point CGEventGetLocation(CFTypeRef event) { return ((Event *)checked(event, EVENT))->at; }
CFTypeRef CGEventCreateMouseEvent(CFTypeRef source, uint32_t type, Point at, uint32_t button) {
  Event *event = event_of(source, type);
  event->at = at;
  event->button = button;
  return event;
}
CFTypeRef CGEventCreateKeyboardEvent(CFTypeRef source, uint16_t code, _Bool down) {
  on_main_thread(__func__);
  Event *event = event_of(source, down ? 10 : 11);
  event->code = code;
  event->down = down;
  return event;
}
CFTypeRef CGEventCreateScrollWheelEvent2(CFTypeRef source, uint32_t unit, uint32_t wheels, int32_t down, int32_t right, int32_t third) {
  if (wheels != 2 || third != 0) die("%u wheels", wheels);
  Event *event = event_of(source, 22);
  event->unit = unit;
  event->scroll[0] = down;
  event->scroll[1] = right;
  return event;
}
void CGEventSetFlags(CFTypeRef event, uint64_t flags) { ((Event *)checked(event, EVENT))->flags = flags; }
void CGEventSetIntegerValueField(CFTypeRef event, uint32_t field, int64_t value) {
  if (field >= 200) die("event field %u", field);
  ((Event *)checked(event, EVENT))->fields[field] = value;
}
void CGEventKeyboardSetUnicodeString(CFTypeRef ref, unsigned long count, const uint16_t *units) {
  Event *event = checked(ref, EVENT);
  event->text_count = count > 20 ? 20 : (int)count;
  memcpy(event->text, units, 2 * event->text_count);
}
int64_t CGEventGetIntegerValueField(CFTypeRef event, uint32_t field) {
  if (field >= 200) die("event field %u", field);
  return ((Event *)checked(event, EVENT))->fields[field];
}
CFTypeRef hardware_event(uint32_t type, double x, double y) {
  Event *event = event_of(NULL, type);
  event->at = (Point){ x, y };
  return event;
}
_Bool CGPreflightPostEventAccess(void) { return input.may_post; }

static void type_units(const uint16_t *units, int count) {
  for (int i = 0; i < count && input.typed_count < 4096; i++) input.typed[input.typed_count++] = units[i];
}

static uint64_t flag_of(uint32_t code) {
  return code == 0x37 ? COMMAND : code == 0x38 ? SHIFT : code == 0x3A ? OPTION : code == 0x3B ? CONTROL : code == 0x3F ? FN : 0;
}

/* What the key itself adds; the system's own shortcuts compare it too. */
static uint64_t own_flags(uint32_t code) {
  int arrow = code >= 0x7B && code <= 0x7E;
  int pad = code >= 0x41 && code <= 0x5C && code != 0x48 && code != 0x49 && code != 0x4A && code != 0x4F && code != 0x50 && code != 0x5A && code != 0x4D && code != 0x46 && code != 0x42 && code != 0x44;
  int function = code == 0x40 || code == 0x4F || code == 0x50 || code == 0x5A || (code >= 0x60 && code <= 0x7A && code != 0x66 && code != 0x68 && code != 0x6C && code != 0x6E && code != 0x70);
  return (arrow || function ? FN : 0) | (arrow || pad ? PAD : 0);
}

static void press_key(Event *event) {
  uint64_t flag = flag_of(event->code);
  if (event->text_count == 0) input.down[event->code] = event->down;
  if (flag != 0) {
    input.held = event->down ? input.held | flag : input.held & ~flag;
    if (((event->flags & flag) != 0) != event->down) die("modifier %#x with flags %#lx", event->code, (unsigned long)event->flags);
    return;
  }
  /* Flags without their key held, and keys held without their flags, count for nothing. */
  uint64_t flags = event->flags & input.held, own = own_flags(event->code);
  if (event->text_count == 0 && ((event->flags & own) != own || event->flags & (FN | PAD) & ~own & ~input.held))
    tell("%#x is no key with flags %#lx", event->code, (unsigned long)event->flags);
  if (!event->down) return;
  if (event->text_count > 0) {
    if (input.secure) return;
    int pair = event->text_count == 2 && event->text[0] >= 0xD800 && event->text[0] < 0xDC00;
    type_units(event->text, pair ? 2 : 1);
    return;
  }
  if (event->code == 0x24) type_units((const uint16_t[]){ '\n' }, 1);
  else if (event->code == 0x30) type_units((const uint16_t[]){ '\t' }, 1);
  else if (flags & (COMMAND | CONTROL)) tell("shortcut %#x flags %#lx", event->code, (unsigned long)flags);
  else if (input.composing) type_units((const uint16_t[]){ '?' }, 1);
  else {
    uint16_t units[8];
    unsigned long length = 0;
    uint32_t modifiers = (flags & SHIFT ? 2 : 0) | (flags & OPTION ? 8 : 0);
    UCKeyTranslate(input.other_layout ? "other" : "plain", event->code, 0, modifiers, 40, 0, &input.dead, 8, &length, units);
    type_units(units, (int)length);
    if (length == 0) tell("key %#x", event->code);
  }
}

static void take_key(Event *event) {
  int before = input.typed_count;
  press_key(event);
  if (!event->down || flag_of(event->code) != 0) return;
  CFTypeRef typed = CFStringCreateWithCharacters(NULL, input.typed + before, input.typed_count - before);
  char text[64];
  text_bytes(typed, text, sizeof text);
  released(typed);
  happened("key", event->code, text, (double)(event->flags & input.held), 0);
}

static const char *const button_names[] = { "left", "right", "middle", "back", "forward" };

static void take_mouse(Event *event) {
  int is_down = event->type == 1 || event->type == 3 || event->type == 25;
  int is_up = event->type == 2 || event->type == 4 || event->type == 26;
  const char *name = event->button < 5 ? button_names[event->button] : "?";
  unsigned expected = event->button == 0 ? 1 : event->button == 1 ? 3 : 25;
  if (is_down || is_up) {
    if (event->type != expected + is_up) die("button %u with type %u", event->button, event->type);
    input.buttons[event->button] = is_down;
    if (is_down) input.number = event->fields[FIELD_NUMBER];
    tell("%s %s at %g,%g clicks %ld%s", name, is_down ? "down" : "up", event->at.x, event->at.y, (long)event->fields[FIELD_CLICKS],
         event->fields[FIELD_NUMBER] == input.number && input.number != 0 ? "" : " of another press");
    char clicks[8];
    snprintf(clicks, sizeof clicks, "%d", (int)event->fields[FIELD_CLICKS]);
    happened(is_down ? "down" : "up", (int)event->button, clicks, event->at.x, event->at.y);
    return;
  }
  int any = 0;
  for (int i = 0; i < 8; i++) any |= input.buttons[i];
  int drags = event->type == 6 || event->type == 7 || event->type == 27;
  if (any && drags && event->fields[FIELD_NUMBER] == input.number && event->fields[FIELD_DX] == (int64_t)(event->at.x - input.at.x) &&
      event->fields[FIELD_DY] == (int64_t)(event->at.y - input.at.y))
    tell("%s drags to %g,%g", name, event->at.x, event->at.y);
  /* It arrives at the second look; nothing is outside of the displays. */
  for (int i = 0; i < desktop.display_count; i++)
    if (inside(&desktop.displays[i].bounds, event->at.x, event->at.y)) {
      input.next = event->at;
      input.late_reads = 2;
    }
}

/* ---- keys for media ---- */

static Class *event_class;
static CFTypeRef other_event(CFTypeRef self, const char *selector, unsigned long type, Point at, unsigned long flags, double time, long window, void *context, short subtype, long data1, long data2) {
  long state = data1 >> 8 & 0xFF;
  if (type != 14 || at.x != 0 || at.y != 0 || time != 0 || window != 0 || context != NULL || subtype != 8 || data2 != -1) die("another event of the system");
  if ((state != 0xA && state != 0xB) || flags != (unsigned long)state || data1 & 0xFF) die("a media key of %#lx with flags %#lx", data1, flags);
  return autoreleased(instance(event_class, (int32_t)data1));
}
static CFTypeRef event_behind(CFTypeRef self) {
  Event *event = event_of(NULL, 14);
  event->code = (uint32_t)((Instance *)checked(self, INSTANCE))->pid;
  return autoreleased(event);
}
static const Method event_class_methods[] = { { "otherEventWithType:location:modifierFlags:timestamp:windowNumber:context:subtype:data1:data2:", other_event }, { NULL, NULL } };
static const Method event_methods[] = { { "CGEvent", event_behind }, { NULL, NULL } };

static void take_media(Event *event) {
  uint32_t key = event->code >> 16, down = (event->code >> 8 & 0xFF) == 0xA;
  input.media = down ? input.media | 1u << key : input.media & ~(1u << key);
  tell("media key %u %s", key, down ? "down" : "up");
}

void CGEventPost(uint32_t tap, CFTypeRef ref) {
  Event *event = checked(ref, EVENT);
  if (tap != 0) die("posted at tap %u", tap);
  if (!input.may_post) return;
  if (event->fields[FIELD_USER] == 0) tell("unmarked event");
  if (!event->permits_person) tell("the person is held up");
  if (event->type == 10 || event->type == 11) take_key(event);
  else if (event->type == 14) take_media(event);
  else if (event->type == 22) {
    /* Lines do nothing in some views, and neither do points of a source of one's own. */
    if (event->unit == 0 && !event->from_source) {
      tell("content moves down %d right %d", event->scroll[0], event->scroll[1]);
      happened("scroll", event->scroll[0], "", input.at.x, input.at.y);
    }
  } else take_mouse(event);
  event->fields[FIELD_PID] = getpid();
  /* Taps are told of no keys in password fields, except of modifiers. */
  if (!input.secure || (event->type != 10 && event->type != 11)) tapped(event->type, event);
}

/* ---- keyboard layouts ---- */

static struct { Header head; int which; } sources[4];
enum { PLAIN, OTHER, METHOD, MODE_ };
const void *kTISPropertyUnicodeKeyLayoutData;

static CFTypeRef source_copy(int which) {
  on_main_thread("TIS");
  if (sources[which].head.magic == 0) {
    Header *model = make(sizeof(Header), KEYBOARD);
    sources[which].head = *model;
    sources[which].head.retains = -1;
    sources[which].which = which;
    released(model);
  }
  return &sources[which];
}
CFTypeRef TISCopyCurrentKeyboardLayoutInputSource(void) { return source_copy(input.input_mode ? MODE_ : input.other_layout ? OTHER : PLAIN); }
CFTypeRef TISCopyCurrentKeyboardInputSource(void) { return source_copy(input.composing ? METHOD : input.input_mode ? MODE_ : input.other_layout ? OTHER : PLAIN); }
CFTypeRef TISCopyCurrentASCIICapableKeyboardLayoutInputSource(void) { return source_copy(PLAIN); }
static CFTypeRef layout_data[2];
CFTypeRef TISGetInputSourceProperty(CFTypeRef source, CFTypeRef key) {
  int which = ((struct { Header head; int which; } *)checked(source, KEYBOARD))->which;
  if (key != kTISPropertyUnicodeKeyLayoutData) die("another property of a layout");
  return which > OTHER ? NULL : layout_data[which];
}
uint8_t LMGetKbdType(void) { return 40; }
unsigned char IsSecureEventInputEnabled(void) { return input.secure; }

/* A part of a German layout: ´ and ` (0x18) and ^ (0x0A) are dead keys. The other one has Cyrillic letters. */
static const struct { uint16_t code; const uint16_t characters[4]; } keys[] = {
  { 0x00, { 'a', 'A', 0xE5, 0xC5 } }, { 0x01, { 's', 'S', 0x201A, 0xCD } }, { 0x02, { 'd', 'D', 0x2202, 0x2122 } },
  { 0x06, { 'y', 'Y', 0xA5, 0x2021 } }, { 0x08, { 'c', 'C', 0xE7, 0xC7 } }, { 0x09, { 'v', 'V', 0x221A, 0x25CA } },
  { 0x0E, { 'e', 'E', 0x20AC, 0x2030 } }, { 0x12, { '1', '!', 0xA1, 0xAC } }, { 0x1F, { 'o', 'O', 0xF8, 0xD8 } },
  { 0x23, { 'p', 'P', 0x3C0, 0x220F } }, { 0x0D, { 'w', 'W', 0x2211, 0x201E } }, { 0x10, { 'z', 'Z', 0x3A9, 0x2C7 } },
  { 0x21, { 0xFC, 0xDC, 0x2022, 0xB0 } }, { 0x25, { 'l', 'L', '@', 0 } }, { 0x31, { ' ', ' ', 0xA0, 0xA0 } }, { 0x24, { '\r', '\r', '\r', '\r' } },
};
static uint16_t accented(uint32_t dead, uint16_t with) {
  if (with == ' ') return dead == 1 ? 0xB4 : dead == 2 ? '`' : '^';
  if (with == 'e') return dead == 1 ? 0xE9 : dead == 2 ? 0xE8 : 0xEA;
  if (with == 'a') return dead == 1 ? 0xE1 : dead == 2 ? 0xE0 : 0xE2;
  return 0;
}
int32_t UCKeyTranslate(const void *layout, uint16_t code, uint16_t action, uint32_t modifiers, uint32_t keyboard, uint32_t options, uint32_t *dead, unsigned long room, unsigned long *length, uint16_t *units) {
  if (action != 0 || keyboard != 40 || options > 1 || room < 4 || modifiers & ~10u) die("UCKeyTranslate %u %u %u %u", action, keyboard, options, modifiers);
  int column = (modifiers & 2 ? 1 : 0) + (modifiers & 8 ? 2 : 0);
  uint32_t before = *dead;
  *length = 0;
  if (strcmp(layout, "other") == 0) {
    if (code == 0x09 && column == 0) units[(*length)++] = 0x43C;
    return 0;
  }
  uint32_t next = code == 0x18 && column == 0 ? 1 : code == 0x18 && column == 1 ? 2 : code == 0x0A && column == 0 ? 3 : 0;
  if (next != 0) {
    if (options & 1) units[(*length)++] = accented(next, ' ');
    else *dead = next;
    return 0;
  }
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    if (keys[i].code != code || keys[i].characters[column] == 0) continue;
    uint16_t one = accented(before, keys[i].characters[column]);
    if (before != 0 && one == 0) units[(*length)++] = accented(before, ' ');
    units[(*length)++] = before != 0 && one != 0 ? one : keys[i].characters[column];
    *dead = 0;
  }
  return 0;
}

__attribute__((constructor)) static void start(void) {
  event_class = class_named("NSEvent", event_class_methods, event_methods);
  kTISPropertyUnicodeKeyLayoutData = immortal(make_text("TISPropertyUnicodeKeyLayoutData"));
  for (int i = 0; i < 2; i++) layout_data[i] = immortal(make_data(i == OTHER ? "other" : "plain", 6));
  reset_input();
}
