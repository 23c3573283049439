/* Installed applications, and the workspace that opens them: late, not at all, to the front although nobody asked. */
#include "desktop.h"
#include "runtime.h"
#include <stdio.h>
#include <string.h>

enum { STARTS, ERRS, NEVER, STEALS, ENDS, WINDOWLESS };
typedef struct { char path[256], id[64], name[64]; int mode; } Installed;
typedef struct { Header head; int activates, recent, prompts, fresh; } Opening;

static Installed installed[16];
static int installed_count;
static int32_t next_pid;
static struct { char id[64]; int32_t status; } decided[8];
static int decided_count;
typedef struct { uint32_t type; CFTypeRef id; } Descriptor;
static Class *opening_class;

CFTypeRef standin_wrapped(uint32_t type, const char *utf8);
CFTypeRef running_instance(int32_t pid);
int standin_add_app(int32_t pid, const char *name, const char *bundle, long policy);
int standin_add_element(int parent);
void standin_text(int element, const char *name, const char *text, int settable);
void standin_boolean(int element, const char *name, int value, int settable);
void standin_action(int element, const char *name, int mode);
void standin_focus(int32_t pid, int window, int element);
void standin_add_window(uint32_t number, int32_t pid, int element, int layer, double x, double y, double width, double height);

void reset_launching(void) { installed_count = 0, decided_count = 0, next_pid = 5008000; }
void standin_install(const char *path, const char *id, const char *name, int mode) {
  if (installed_count == 16) die("too many applications are installed");
  Installed *one = &installed[installed_count++];
  snprintf(one->path, sizeof one->path, "%s", path);
  snprintf(one->id, sizeof one->id, "%s", id);
  snprintf(one->name, sizeof one->name, "%s", name);
  one->mode = mode;
}

static Installed *installed_at(CFTypeRef url) {
  char text[512];
  text_bytes(CFURLGetString(url), text, sizeof text);
  size_t length = strlen(text);
  if (length > 0 && text[length - 1] == '/') text[length - 1] = 0;
  for (int i = 0; i < installed_count; i++) {
    if (strncmp(text, "file://", 7) == 0 && strcmp(installed[i].path, text + 7) == 0) return &installed[i];
  }
  return NULL;
}

CFTypeRef LSCopyApplicationURLsForBundleIdentifier(CFTypeRef id, CFTypeRef *error) {
  if (error != NULL) die("an error was asked for");
  CFTypeRef urls[16] = { NULL };
  long count = 0;
  for (int i = 0; i < installed_count; i++) {
    char url[300];
    if (!text_is(id, installed[i].id)) continue;
    snprintf(url, sizeof url, "file://%s/", installed[i].path);
    urls[count++] = standin_wrapped(URL, url);
  }
  if (count == 0) return NULL;
  CFTypeRef list = make_array(count, urls);
  for (long i = 0; i < count; i++) released(urls[i]);
  return list;
}
CFTypeRef CFURLCreateWithString(CFTypeRef allocator, CFTypeRef text, CFTypeRef base) {
  if (allocator != NULL || base != NULL) die("a URL relative to another");
  return make_wrapped(URL, text);
}
CFTypeRef CFBundleCopyInfoDictionaryInDirectory(CFTypeRef url) {
  Installed *one = installed_at(url);
  if (one == NULL) return NULL;
  const char *pairs[] = { "CFBundleIdentifier", one->id, "CFBundleName", one->name, "CFBundleExecutable", "program" };
  CFTypeRef texts[6];
  for (int i = 0; i < 6; i++) texts[i] = make_text(pairs[i]);
  return make_dictionary(3, texts);
}

/* An application with a window, where nobody else makes one. */
static void add_plain_app(const Installed *one, int32_t pid) {
  int root = standin_add_app(pid, one->name, one->id, 0);
  standin_text(root, "AXRole", "AXApplication", 0);
  standin_boolean(root, "AXFrontmost", 0, DOES);
  if (one->mode == WINDOWLESS) return;
  int window = standin_add_element(root);
  standin_text(window, "AXRole", "AXWindow", 0);
  standin_text(window, "AXSubrole", "AXStandardWindow", 0);
  standin_boolean(window, "AXMinimized", 0, DOES);
  standin_boolean(window, "AXMain", 0, DOES);
  standin_action(window, "AXRaise", DOES);
  standin_add_window((uint32_t)pid, pid, window, 0, 50, 60, 300, 200);
  standin_focus(pid, window, 0);
}

void open_application(CFTypeRef self, const char *selector, CFTypeRef url, CFTypeRef settings, const void *block) {
  Installed *one = installed_at(url);
  Opening *opening = checked(settings, INSTANCE);
  if (one == NULL) return call_later(block, NULL, make_error(-10814), 1, 0);
  if (opening->recent || opening->prompts) die("opened with questions or traces");
  tell("open %s activates %d new %d", one->id, opening->activates, opening->fresh);
  if (one->mode == NEVER) return;
  if (one->mode == ERRS) return call_later(block, NULL, make_error(-10810), 1, 0);
  App *app = NULL;
  for (int i = 0; i < desktop.app_count; i++)
    if (strcmp(desktop.apps[i].bundle, one->id) == 0 && !desktop.apps[i].ended) app = &desktop.apps[i];
  if (app == NULL || opening->fresh) {
    int32_t pid = ++next_pid;
    if (!happened("launch", pid, one->id, 0, 0)) add_plain_app(one, pid);
    app = app_of(pid);
    app->unready = 3;
    if (one->mode == ENDS) app->ended = 1;
  }
  if (opening->activates || one->mode == STEALS) {
    desktop.front = app->pid;
    if (app->focused_window != 0) to_front(node_of(app->focused_window)->window);
  }
  call_later(block, running_instance(app->pid), NULL, 1, 0);
}
void open_pages(CFTypeRef self, const char *selector, CFTypeRef pages, CFTypeRef url, CFTypeRef settings, const void *block) {
  CFTypeRef page = NULL;
  char text[512];
  if (CFArrayGetCount(pages) != 1) die("opened with %ld pages", CFArrayGetCount(pages));
  CFArrayGetValues(pages, 0, 1, &page);
  text_bytes(CFURLGetString(page), text, sizeof text);
  tell("page %s", text);
  open_application(self, selector, url, settings, block);
}
signed char is_finished_launching(CFTypeRef self) {
  App *app = app_of(((Instance *)checked(self, INSTANCE))->pid);
  return app != NULL && (app->unready == 0 || --app->unready == 0);
}

static CFTypeRef configuration(void) {
  Opening *opening = make(sizeof(Opening), INSTANCE);
  opening->head.isa = opening_class;
  opening->activates = opening->recent = opening->prompts = 1;
  return autoreleased(opening);
}
static Opening *opening_of(CFTypeRef self) { return checked(self, INSTANCE); }
static void set_activates(CFTypeRef self, const char *selector, signed char on) { opening_of(self)->activates = on; }
static void set_recent(CFTypeRef self, const char *selector, signed char on) { opening_of(self)->recent = on; }
static void set_prompts(CFTypeRef self, const char *selector, signed char on) { opening_of(self)->prompts = on; }
static void set_fresh(CFTypeRef self, const char *selector, signed char on) { opening_of(self)->fresh = on; }

static const Method opening_class_methods[] = { { "configuration", configuration }, { NULL, NULL } };
static const Method opening_methods[] = {
  { "setActivates:", set_activates }, { "setAddsToRecentItems:", set_recent }, { "setPromptsUserIfNeeded:", set_prompts },
  { "setCreatesNewApplicationInstance:", set_fresh }, { NULL, NULL },
};
__attribute__((constructor)) static void start(void) { opening_class = class_named("NSWorkspaceOpenConfiguration", opening_class_methods, opening_methods); }

/* What the person has decided about scripts for an application. */
void standin_automation(const char *id, int status) {
  if (decided_count == 8) die("too many decisions");
  snprintf(decided[decided_count].id, sizeof decided->id, "%s", id);
  decided[decided_count++].status = status;
}
int16_t AECreateDesc(uint32_t type, const void *data, long size, void *result) {
  char text[64];
  if (type != 0x62756e64) die("an address that is no bundle id");
  snprintf(text, sizeof text, "%.*s", (int)size, (const char *)data);
  *(Descriptor *)result = (Descriptor){ type, make_text(text) };
  return 0;
}
int32_t AEDeterminePermissionToAutomateTarget(const void *target, uint32_t class, uint32_t event, uint8_t ask) {
  if (ask) die("the person is asked");
  if (class != 0x636f7265 || event != 0x67657464) die("another event than reading");
  for (int i = 0; i < decided_count; i++)
    if (text_is(((const Descriptor *)target)->id, decided[i].id)) return decided[i].status;
  return -1744;
}
int16_t AEDisposeDesc(void *desc) {
  released(((Descriptor *)desc)->id);
  return 0;
}
