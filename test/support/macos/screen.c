#define _GNU_SOURCE
/* Displays, the list of windows, running applications and processes of the scripted desktop. */
#include "desktop.h"
#include "runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static Display *display_of(uint32_t id) {
  for (int i = 0; i < desktop.display_count; i++)
    if (desktop.displays[i].id == id) return &desktop.displays[i];
  die("there is no display %u", id);
}

int32_t CGGetActiveDisplayList(uint32_t room, uint32_t *ids, uint32_t *count) {
  *count = 0;
  for (int i = 0; i < desktop.display_count && *count < room; i++) ids[(*count)++] = desktop.displays[i].id;
  return 0;
}
uint32_t CGMainDisplayID(void) { return desktop.display_count == 0 ? 0 : desktop.displays[0].id; }
Rect CGDisplayBounds(uint32_t id) { return display_of(id)->bounds; }
uint32_t CGDisplayMirrorsDisplay(uint32_t id) { return display_of(id)->mirrors; }
CFTypeRef CGDisplayCopyDisplayMode(uint32_t id) {
  Mode *mode = make(sizeof(Mode), MODE);
  mode->width = display_of(id)->points;
  mode->pixels = display_of(id)->pixels;
  return mode;
}
size_t CGDisplayModeGetWidth(CFTypeRef mode) { return ((Mode *)checked(mode, MODE))->width; }
size_t CGDisplayModeGetPixelWidth(CFTypeRef mode) { return ((Mode *)checked(mode, MODE))->pixels; }
CFTypeRef standin_wrapped(uint32_t type, const char *utf8);
CFTypeRef CGDisplayCreateUUIDFromDisplayID(uint32_t id) {
  char uuid[40];
  snprintf(uuid, sizeof uuid, "37D8832A-2D66-02CA-B9F7-%012X", id);
  return standin_wrapped(UUID, uuid);
}

#define KEY(name) const void *name;
KEY(kCGWindowName) KEY(kCGWindowNumber) KEY(kCGWindowOwnerPID) KEY(kCGWindowOwnerName) KEY(kCGWindowLayer) KEY(kCGWindowBounds) KEY(kCGWindowAlpha) KEY(kCGWindowIsOnscreen)
const void *kCFRunLoopDefaultMode;

static CFTypeRef bounds_of(const Rect *rect) {
  CFTypeRef pairs[] = { make_text("X"), make_double(rect->x), make_text("Y"), make_double(rect->y),
                        make_text("Width"), make_double(rect->width), make_text("Height"), make_double(rect->height) };
  return make_dictionary(4, pairs);
}
static double field(CFTypeRef bounds, const char *name) {
  CFTypeRef key = make_text(name), number = CFDictionaryGetValue(bounds, key);
  released(key);
  if (number == NULL) die("bounds without %s", name);
  return number_of(number);
}
_Bool CGRectMakeWithDictionaryRepresentation(CFTypeRef bounds, Rect *rect) {
  *rect = (Rect){ field(bounds, "X"), field(bounds, "Y"), field(bounds, "Width"), field(bounds, "Height") };
  return 1;
}

CFTypeRef CGWindowListCopyWindowInfo(uint32_t options, uint32_t relative) {
  if (relative != 0) die("windows relative to %u were asked", relative);
  if (options & ~17u) die("windows were asked with options %u", options);
  CFTypeRef rows[MOST_WINDOWS] = { NULL };
  long count = 0;
  for (int i = 0; i < desktop.window_count; i++) {
    Window *window = &desktop.windows[i];
    if (window->late > 0 && --window->late == 0) {
      window->bounds = window->next;
      for (int n = 1; n <= desktop.node_count; n++)
        if (node_of(n)->window == (int)window->number) node_of(n)->resized = 0;
    }
    App *owner = app_of(window->pid);
    if (owner == NULL || ((options & 1) && !window->on_screen)) continue;
    CFTypeRef pairs[] = {
      retained(kCGWindowNumber), make_integer(window->number), retained(kCGWindowOwnerPID), make_integer(window->pid),
      retained(kCGWindowOwnerName), make_text(owner->name), retained(kCGWindowLayer), make_integer(window->layer),
      retained(kCGWindowBounds), bounds_of(&window->bounds), retained(kCGWindowAlpha), make_double(window->alpha),
      retained(kCGWindowName), make_text(desktop.shows_names && window->layer == 0 ? "a name" : ""),
      retained(kCGWindowIsOnscreen), make_boolean(1),
    };
    rows[count++] = make_dictionary(window->on_screen ? 8 : 7, pairs); /* the key is missing where it does not show */
  }
  CFTypeRef list = make_array(count, rows);
  for (long i = 0; i < count; i++) released(rows[i]);
  return list;
}
_Bool CGPreflightScreenCaptureAccess(void) { return desktop.may_record; }
int32_t CGWindowLevelForKey(int32_t key) { return key == 4 ? 0 : key == 5 ? 3 : key == 7 ? 20 : key == 9 ? 25 : key == 10 ? 8 : key == 11 ? 101 : -1; }

/* ---- run loop: what waits is handled one at a time; a look at the applications is as old as the last turn ---- */

#define MOST_WAITING 4096
static void (*waiting[MOST_WAITING])(void *);
static void *waiting_with[MOST_WAITING];
static int waiting_count;
static int32_t known_pids[MOST_APPS], known_front;
static int known_count;

void forget_applications(void) { known_count = known_front = 0; }
void standin_post(void (*call)(void *), void *with) {
  if (waiting_count == MOST_WAITING) die("the run loop does not turn");
  waiting[waiting_count] = call;
  waiting_with[waiting_count++] = with;
}
/* What waits for sources that are gone by now. */
void standin_drain(void) {
  for (int i = 0; i < waiting_count; i++) waiting[i](waiting_with[i]);
  waiting_count = 0;
}
CFTypeRef CFRunLoopGetMain(void) { return kCFRunLoopDefaultMode; }
void CFRunLoopAddSource(CFTypeRef loop, CFTypeRef source, CFTypeRef mode) { checked(loop, 0), checked(mode, 0), add_source(checked(source, 0), 1); }
void CFRunLoopRemoveSource(CFTypeRef loop, CFTypeRef source, CFTypeRef mode) { checked(loop, 0), checked(mode, 0), add_source(checked(source, 0), 0); }
int32_t CFRunLoopRunInMode(CFTypeRef mode, double seconds, unsigned char once) {
  on_main_thread(__func__);
  if (checked(mode, STRING) != kCFRunLoopDefaultMode || seconds != 0 || once != 1) die("the run loop would wait");
  known_count = 0;
  for (int i = 0; i < desktop.app_count; i++)
    if (!desktop.apps[i].ended) known_pids[known_count++] = desktop.apps[i].pid;
  known_front = desktop.front;
  if (waiting_count == 0) return 3;
  void (*call)(void *) = waiting[0];
  void *with = waiting_with[0];
  waiting_count--;
  memmove(waiting, waiting + 1, waiting_count * sizeof waiting[0]);
  memmove(waiting_with, waiting_with + 1, waiting_count * sizeof waiting_with[0]);
  call(with);
  return 4;
}

/* ---- AppKit ---- */

static Class *workspace_class, *running_class, *screen_class;

void open_application(CFTypeRef self, const char *selector, CFTypeRef url, CFTypeRef settings, const void *block);
void open_pages(CFTypeRef self, const char *selector, CFTypeRef pages, CFTypeRef url, CFTypeRef settings, const void *block);
signed char is_finished_launching(CFTypeRef self);
CFTypeRef instance(Class *class, int32_t pid) {
  Instance *made = make(sizeof(Instance), INSTANCE);
  made->head.isa = class;
  made->pid = pid;
  return made;
}
CFTypeRef running_instance(int32_t pid) { return instance(running_class, pid); }
static App *app_behind(CFTypeRef self) {
  int32_t pid = ((Instance *)checked(self, INSTANCE))->pid;
  for (int i = 0; i < desktop.app_count; i++)
    if (desktop.apps[i].pid == pid) return &desktop.apps[i];
  die("there is no application %d", pid);
}
static CFTypeRef shared_workspace(CFTypeRef self) { return on_main_thread("sharedWorkspace"), autoreleased(instance(workspace_class, 0)); }
static long workspace_reads;
long standin_workspace_reads(void) { return workspace_reads; }
static CFTypeRef running_applications(void) {
  workspace_reads++;
  CFTypeRef items[MOST_APPS];
  for (int i = 0; i < known_count; i++) items[i] = instance(running_class, known_pids[i]);
  CFTypeRef list = make_array(known_count, items);
  for (int i = 0; i < known_count; i++) released(items[i]);
  return autoreleased(list);
}
static CFTypeRef frontmost_application(void) { return known_front == 0 ? NULL : autoreleased(instance(running_class, known_front)); }
static long activation_policy(CFTypeRef self) { return app_behind(self)->policy; }
static int32_t process_identifier(CFTypeRef self) { return app_behind(self)->pid; }
/* Without a bundle a process is no application. */
static CFTypeRef running_with_pid(CFTypeRef self, const char *selector, int32_t pid) {
  App *app = app_of(pid);
  return app == NULL || app->policy == 2 ? NULL : autoreleased(instance(running_class, pid));
}
static signed char terminate(CFTypeRef self) {
  App *app = app_behind(self);
  if (app->quit_mode == REFUSES) return 0;
  tell("terminate %d", app->pid);
  if (app->quit_mode == DOES) app->ended = 1;
  if (app->quit_mode == ASKS) add_sheet(app->focused_window);
  return 1;
}
static CFTypeRef text_or_nil(const char *text) { return *text == 0 ? NULL : autoreleased(make_text(text)); }
static CFTypeRef bundle_identifier(CFTypeRef self) { return text_or_nil(app_behind(self)->bundle); }
static CFTypeRef localized_name(CFTypeRef self) { return text_or_nil(app_behind(self)->name); }
static CFTypeRef screens(void) {
  CFTypeRef items[MOST_DISPLAYS];
  for (int i = 0; i < desktop.display_count; i++) items[i] = instance(screen_class, (int32_t)desktop.displays[i].id);
  CFTypeRef list = make_array(desktop.display_count, items);
  for (int i = 0; i < desktop.display_count; i++) released(items[i]);
  return autoreleased(list);
}
static uint32_t screen_display(CFTypeRef self) { return (uint32_t)((Instance *)checked(self, INSTANCE))->pid; }
static CFTypeRef screen_name(CFTypeRef self) { return text_or_nil(display_of(screen_display(self))->name); }
static Rect screen_visible_frame(CFTypeRef self) {
  Rect visible = display_of(screen_display(self))->visible;
  visible.y = desktop.displays[0].bounds.height - visible.y - visible.height; /* origin at the bottom left */
  return visible;
}

static const Method running_class_methods[] = { { "runningApplicationWithProcessIdentifier:", running_with_pid }, { NULL, NULL } };
static const Method workspace_class_methods[] = { { "sharedWorkspace", shared_workspace }, { NULL, NULL } };
static const Method workspace_methods[] = { { "runningApplications", running_applications }, { "frontmostApplication", frontmost_application }, { "openApplicationAtURL:configuration:completionHandler:", open_application }, { "openURLs:withApplicationAtURL:configuration:completionHandler:", open_pages }, { NULL, NULL } };
static const Method running_methods[] = { { "activationPolicy", activation_policy }, { "bundleIdentifier", bundle_identifier }, { "localizedName", localized_name }, { "processIdentifier", process_identifier }, { "terminate", terminate }, { "isFinishedLaunching", is_finished_launching }, { NULL, NULL } };
static const Method screen_class_methods[] = { { "screens", screens }, { NULL, NULL } };
static const Method screen_methods[] = { { "CGDirectDisplayID", screen_display }, { "localizedName", screen_name }, { "visibleFrame", screen_visible_frame }, { NULL, NULL } };

/* ---- libSystem ---- */

int32_t proc_pidinfo(int32_t pid, int32_t flavor, uint64_t with, void *at, int32_t bytes) {
  if (flavor != 3 || with != 0 || bytes < 136) die("proc_pidinfo of flavour %d into %d bytes", flavor, bytes);
  if (app_of(pid) == NULL) return 0;
  memset(at, 0, 136);
  ((uint64_t *)at)[120 / 8] = 1700000000u + (unsigned)pid;
  ((uint64_t *)at)[128 / 8] = 42;
  return 136;
}
int32_t proc_pidpath(int32_t pid, char *path, uint32_t room) {
  App *app = app_of(pid);
  if (app != NULL && *app->program != 0) return snprintf(path, room, "%s", app->program);
  return app == NULL ? 0 : snprintf(path, room, "/Applications/%s.app/Contents/MacOS/%s", app->name, app->name);
}
int responsibility_get_pid_responsible_for_pid(int pid) {
  App *app = app_of(pid);
  return app == NULL ? -1 : app->responsible != 0 ? app->responsible : pid;
}
int32_t sysctlbyname(const char *name, void *at, size_t *length, const void *value, size_t bytes) {
  if (strcmp(name, "kern.osproductversion") != 0 || value != NULL || bytes != 0 || *length < 7) die("sysctl %s", name);
  strcpy(at, "15.3.1");
  *length = 7;
  return 0;
}
int32_t kill(int32_t pid, int32_t number) {
  if (number != 9) die("signal %d", number);
  App *app = app_of(pid);
  if (app == NULL || app->quit_mode == LIMITS) return -1;
  tell("kill %d", pid);
  app->ended = 1;
  return 0;
}
int32_t pthread_main_np(void) { return syscall(SYS_gettid) == getpid(); }

static CFTypeRef key_named(const char *name) { return immortal(make_text(name)); }
void standin_reset(void);
__attribute__((constructor)) static void start(void) {
  kCFRunLoopDefaultMode = key_named("kCFRunLoopDefaultMode");
  kCGWindowNumber = key_named("kCGWindowNumber"), kCGWindowOwnerPID = key_named("kCGWindowOwnerPID");
  kCGWindowOwnerName = key_named("kCGWindowOwnerName"), kCGWindowLayer = key_named("kCGWindowLayer");
  kCGWindowBounds = key_named("kCGWindowBounds"), kCGWindowAlpha = key_named("kCGWindowAlpha");
  kCGWindowName = key_named("kCGWindowName");
  kCGWindowIsOnscreen = key_named("kCGWindowIsOnscreen");
  workspace_class = class_named("NSWorkspace", workspace_class_methods, workspace_methods);
  running_class = class_named("NSRunningApplication", running_class_methods, running_methods);
  screen_class = class_named("NSScreen", screen_class_methods, screen_methods);
  standin_reset();
}
