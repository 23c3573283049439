/* Event taps and accessibility observers: what they are told waits for a turn of the run loop. */
#include "desktop.h"
#include <stdlib.h>
#include <string.h>

#define MOST_TAPS 16
#define MOST_OBSERVERS 64
#define MOST_NAMES 40

void standin_post(void (*call)(void *), void *with);
CFTypeRef hardware_event(uint32_t type, double x, double y);
extern void CGEventSetIntegerValueField(CFTypeRef event, uint32_t field, int64_t value);

typedef struct { Header head; int added; } LoopSource;
typedef CFTypeRef (*TapCall)(void *proxy, uint32_t type, CFTypeRef event, void *with);
typedef struct { Header head; TapCall call; void *with; uint64_t mask; int enabled, valid; LoopSource *source; } Port;
typedef void (*ObserverCall)(CFTypeRef observer, CFTypeRef element, CFTypeRef name, void *with);
typedef struct { Header head; int32_t pid; ObserverCall call; int count; struct { char name[40]; void *with; } names[MOST_NAMES]; LoopSource *source; } Observer;
typedef struct { Port *port; uint32_t type; CFTypeRef event; } Tapped;
typedef struct { Observer *observer; char name[40]; void *with; } Notice;

static Port *taps[MOST_TAPS];
static Observer *observers[MOST_OBSERVERS];

void add_source(CFTypeRef source, int added) {
  if (((Header *)source)->type == LOOP_SOURCE) ((LoopSource *)source)->added = added;
}
/* The system keeps what is only released, so there is nothing to find in the lists any more. */
void end_listening(Header *head) {
  if (head->type == PORT) {
    if (((Port *)head)->valid) die("a tap was released without having been invalidated");
    for (int i = 0; i < MOST_TAPS; i++) if (taps[i] == (Port *)head) taps[i] = NULL;
  }
  if (head->type != OBSERVER) return;
  released(((Observer *)head)->source);
  for (int i = 0; i < MOST_OBSERVERS; i++) if (observers[i] == (Observer *)head) observers[i] = NULL;
}

/* ---- taps ---- */

CFTypeRef CGEventTapCreate(uint32_t tap, uint32_t place, uint32_t options, uint64_t mask, const void *call, void *with) {
  on_main_thread(__func__);
  if (tap != 1 || place > 1 || options != 1) die("a tap at %u, %u, %u", tap, place, options);
  if (desktop.untrusted) die("the person was asked for input monitoring");
  Port *port = make(sizeof(Port), PORT);
  port->call = (TapCall)(uintptr_t)call;
  port->with = with;
  port->mask = mask;
  port->enabled = port->valid = 1;
  for (int i = 0; i < MOST_TAPS; i++)
    if (taps[i] == NULL) return taps[i] = port;
  die("too many taps");
}
void CGEventTapEnable(CFTypeRef port, _Bool enabled) { ((Port *)checked(port, PORT))->enabled = enabled; }
CFTypeRef CFMachPortCreateRunLoopSource(CFTypeRef allocator, CFTypeRef port, long order) {
  if (allocator != NULL || order != 0) die("a source of order %ld", order);
  return ((Port *)checked(port, PORT))->source = make(sizeof(LoopSource), LOOP_SOURCE);
}
void CFMachPortInvalidate(CFTypeRef ref) {
  Port *port = checked(ref, PORT);
  port->valid = port->enabled = 0;
}
static void deliver(void *with) {
  Tapped *tapped = with;
  if (tapped->port->valid) tapped->port->call(NULL, tapped->type, tapped->event, tapped->port->with);
  if (tapped->event != NULL) released(tapped->event);
  released(tapped->port);
  free(tapped);
}
static void queue(Port *port, uint32_t type, CFTypeRef event) {
  Tapped *tapped = malloc(sizeof *tapped);
  *tapped = (Tapped){ (Port *)retained(port), type, event == NULL ? NULL : retained(event) };
  standin_post(deliver, tapped);
}
/* Held up in the system, or dropped by the tap of another program. */
static enum { DELIVERS, HOLDS, DROPS } way;
static struct { uint32_t type; CFTypeRef event; } held[64];
static int held_count;
void tapped(uint32_t type, CFTypeRef event);
void standin_taps(int which) {
  way = which;
  if (way == HOLDS) return;
  for (int i = 0; i < held_count; i++) {
    if (way == DELIVERS) tapped(held[i].type, held[i].event);
    released(held[i].event);
  }
  held_count = 0;
}
void tapped(uint32_t type, CFTypeRef event) {
  if (way == DROPS) return;
  if (way == HOLDS) {
    if (held_count == 64) die("too many events are held");
    held[held_count].type = type;
    held[held_count++].event = retained(event);
    return;
  }
  for (int i = 0; i < MOST_TAPS; i++) {
    Port *port = taps[i];
    if (port != NULL && port->enabled && port->source != NULL && port->source->added && (port->mask >> type & 1)) queue(port, type, event);
  }
}
/* As the system does with one that took too long. */
void standin_disable_taps(void) {
  for (int i = 0; i < MOST_TAPS; i++)
    if (taps[i] != NULL && taps[i]->valid) {
      taps[i]->enabled = 0;
      queue(taps[i], 0xFFFFFFFEu, NULL);
    }
}
static void comes(uint32_t type, double x, double y, int32_t poster) {
  CFTypeRef event = hardware_event(type, x, y);
  CGEventSetIntegerValueField(event, 41, poster);
  tapped(type, event);
  released(event);
}
void pointer_moves(double x, double y);
void standin_person_moves(double x, double y) {
  pointer_moves(x, y);
  comes(5, x, y, 0);
}
void standin_person_presses(double x, double y) {
  standin_person_moves(x, y);
  comes(1, x, y, 0);
  comes(2, x, y, 0);
}
void standin_other_program_presses(double x, double y) {
  pointer_moves(x, y);
  comes(1, x, y, 4711);
  comes(2, x, y, 4711);
}
void standin_person_types(uint32_t type) { comes(type, 1, 1, 0); }
void standin_other_program_moves(double x, double y) { comes(5, x, y, 4711); }

/* ---- observers ---- */

int32_t AXObserverCreate(int32_t pid, const void *call, CFTypeRef *made) {
  on_main_thread(__func__);
  if (desktop.untrusted) return -25211;
  Observer *observer = make(sizeof(Observer), OBSERVER);
  observer->pid = pid;
  observer->call = (ObserverCall)(uintptr_t)call;
  observer->source = make(sizeof(LoopSource), LOOP_SOURCE);
  for (int i = 0; i < MOST_OBSERVERS; i++)
    if (observers[i] == NULL) return *made = observers[i] = observer, 0;
  die("too many observers");
}
CFTypeRef AXObserverGetRunLoopSource(CFTypeRef observer) { return ((Observer *)checked(observer, OBSERVER))->source; }
int32_t AXObserverAddNotification(CFTypeRef ref, CFTypeRef element, CFTypeRef name, void *with) {
  Observer *observer = checked(ref, OBSERVER);
  App *app = app_of(observer->pid);
  if (app == NULL || ((Element *)checked(element, ELEMENT))->pid != observer->pid) return -25202;
  if (app->hung) return desktop.hung_calls++, -25204;
  if (text_is(name, "AXHelpTagCreated")) return -25207;
  if (observer->count == MOST_NAMES) die("too many notifications");
  text_bytes(name, observer->names[observer->count].name, 40);
  observer->names[observer->count++].with = with;
  return 0;
}
static void notice(void *with) {
  Notice *notice = with;
  if (notice->observer->source->added) {
    CFTypeRef name = make_text(notice->name);
    notice->observer->call(notice->observer, NULL, name, notice->with);
    released(name);
  }
  released(notice->observer);
  free(notice);
}
void notify(int32_t pid, const char *name) {
  for (int i = 0; i < MOST_OBSERVERS; i++) {
    Observer *observer = observers[i];
    if (observer == NULL || observer->pid != pid || !observer->source->added) continue;
    for (int n = 0; n < observer->count; n++) {
      if (strcmp(observer->names[n].name, name) != 0) continue;
      Notice *made = malloc(sizeof *made);
      made->observer = (Observer *)retained(observer);
      strcpy(made->name, name);
      made->with = observer->names[n].with;
      standin_post(notice, made);
    }
  }
}
