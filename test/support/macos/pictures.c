#define _GNU_SOURCE
/* ScreenCaptureKit and pictures of the scripted desktop. Completions come on another thread, late, twice or never. */
#include "desktop.h"
#include "runtime.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { Header head; size_t width, height, row; uint32_t bits, info; CFTypeRef provider; } Image;
typedef struct { Header head; CFTypeRef data; } Provider;
typedef struct { Header head; CFTypeRef space; uint8_t *pixels; size_t width, height; } Context;
#define MOST_LEFT_OUT 16
typedef struct { Header head; int is_window; uint32_t number, left_out[MOST_LEFT_OUT]; long left_out_count; } Target;
typedef struct { Header head; size_t width, height; int cursor, shadows_ignored; long resolution; uint32_t format; CFTypeRef space; } Settings;

enum { WELL, NEVER, TWICE, ERRS, DEEP, EMPTY, PADDED };
static struct { int content_mode, picture_mode, in_flight, busy; long code; uint32_t moves; } kit;
static Class *content_class, *window_class, *display_class, *filter_class, *settings_class, *manager_class;
const void *kCGColorSpaceSRGB;
void *_NSConcreteGlobalBlock[32];

void reset_pictures(void) { memset(&kit, 0, sizeof kit); }
int standin_in_flight(void) { return __atomic_load_n(&kit.in_flight, __ATOMIC_SEQ_CST); }
void standin_picture_mode(int content, int picture, long code) { kit.content_mode = content, kit.picture_mode = picture, kit.code = code; }
/* The window moves before its next picture. */
void standin_moves_before_picture(uint32_t number) { kit.moves = number; }
void standin_kit_missing(int missing) { class_missing("SCScreenshotManager", missing); }

/* ---- blocks ---- */

typedef struct { uintptr_t reserved, size; const char *signature; } Descriptor;
typedef struct Block { void *isa; int32_t flags, reserved; void (*invoke)(struct Block *, CFTypeRef, CFTypeRef); Descriptor *descriptor; } Block;
typedef struct { Block *block; CFTypeRef result, error; int times, of_kit; } Completion;

static void *complete(void *with) {
  Completion *completion = with;
  if (completion->of_kit) kit.busy--;
  for (int i = 0; i < completion->times; i++) completion->block->invoke(completion->block, completion->result, completion->error);
  if (completion->result != NULL) released(completion->result);
  if (completion->error != NULL) released(completion->error);
  free(completion);
  __atomic_sub_fetch(&kit.in_flight, 1, __ATOMIC_SEQ_CST);
  return NULL;
}
/* Takes over what it is given. */
void call_later(const void *of, CFTypeRef result, CFTypeRef error, int times, int of_kit) {
  Block *block = (Block *)of;
  if (block->isa != _NSConcreteGlobalBlock || block->flags != (1 << 28 | 1 << 30) || block->descriptor->size != 32) die("a block without its parts");
  if (strncmp(block->descriptor->signature, "v24@?0", 6) != 0) die("a block of %s", block->descriptor->signature);
  Completion *completion = malloc(sizeof *completion);
  *completion = (Completion){ block, result, error, times, of_kit };
  __atomic_add_fetch(&kit.in_flight, 1, __ATOMIC_SEQ_CST);
  pthread_t thread;
  pthread_create(&thread, NULL, complete, completion);
  pthread_detach(thread);
}

/* ---- what can be captured ---- */

static CFTypeRef target(Class *class, int is_window, uint32_t number) {
  Target *made = make(sizeof(Target), INSTANCE);
  made->head.isa = class;
  made->is_window = is_window;
  made->number = number;
  return made;
}
static void get_content(CFTypeRef self, const char *selector, signed char without_desktop, signed char on_screen, const void *block) {
  if (!desktop.may_record) tell("asked the person for screen recording");
  if (without_desktop != 0 || on_screen != 1) die("content %d %d", without_desktop, on_screen);
  if (kit.busy++ > 0) die("two pictures at once");
  if (kit.content_mode == NEVER) return;
  CFTypeRef content = kit.content_mode == ERRS ? NULL : target(content_class, 0, 0);
  call_later(block, content, content == NULL ? make_error(kit.code) : NULL, kit.content_mode == TWICE ? 2 : 1, 1);
}
static CFTypeRef all_of(int windows) {
  CFTypeRef items[MOST_WINDOWS] = { NULL };
  long count = 0;
  if (windows) {
    for (int i = 0; i < desktop.window_count; i++)
      if (desktop.windows[i].on_screen) items[count++] = target(window_class, 1, desktop.windows[i].number);
  } else
    for (int i = 0; i < desktop.display_count; i++) items[count++] = target(display_class, 0, desktop.displays[i].id);
  CFTypeRef list = make_array(count, items);
  for (long i = 0; i < count; i++) released(items[i]);
  return autoreleased(list);
}
static CFTypeRef content_windows(void) { return all_of(1); }
static CFTypeRef content_displays(void) { return all_of(0); }
static uint32_t target_number(CFTypeRef self) { return ((Target *)checked(self, INSTANCE))->number; }

static CFTypeRef allocated(Class *class, size_t bytes) {
  Header *made = make(bytes, INSTANCE);
  made->isa = class;
  return made;
}
static CFTypeRef filter_alloc(void) { return allocated(filter_class, sizeof(Target)); }
static CFTypeRef filter_of(CFTypeRef self, CFTypeRef of, int is_window) {
  Target *filter = checked(self, INSTANCE);
  Target *wanted = checked(of, INSTANCE);
  if (wanted->is_window != is_window) die("a filter of something else");
  filter->is_window = is_window;
  filter->number = wanted->number;
  return filter;
}
static CFTypeRef filter_display(CFTypeRef self, const char *selector, CFTypeRef display, CFTypeRef without) {
  Target *filter = (Target *)filter_of(self, display, 0);
  CFTypeRef windows[MOST_LEFT_OUT];
  filter->left_out_count = CFArrayGetCount(without);
  if (filter->left_out_count > MOST_LEFT_OUT) die("%ld windows are left out", filter->left_out_count);
  CFArrayGetValues(without, 0, filter->left_out_count, windows);
  for (long i = 0; i < filter->left_out_count; i++) filter->left_out[i] = ((Target *)checked(windows[i], INSTANCE))->number;
  return filter;
}
static CFTypeRef filter_window(CFTypeRef self, const char *selector, CFTypeRef window) { return filter_of(self, window, 1); }
static Display *display_numbered(uint32_t id) {
  for (int i = 0; i < desktop.display_count; i++)
    if (desktop.displays[i].id == id) return &desktop.displays[i];
  die("there is no display %u", id);
}
static Rect filter_rect(CFTypeRef self) {
  Target *filter = checked(self, INSTANCE);
  return filter->is_window ? window_of(filter->number)->bounds : display_numbered(filter->number)->bounds;
}
static float filter_scale(CFTypeRef self) {
  Target *filter = checked(self, INSTANCE);
  Rect rect = filter_rect(self);
  for (int i = 0; i < desktop.display_count; i++) {
    Display *display = &desktop.displays[i];
    if (filter->is_window ? inside(&display->bounds, rect.x, rect.y) : display->id == filter->number) return (float)display->pixels / (float)display->points;
  }
  return 1;
}
static CFTypeRef settings_alloc(void) { return allocated(settings_class, sizeof(Settings)); }
static CFTypeRef settings_init(CFTypeRef self) {
  Settings *settings = checked(self, INSTANCE);
  settings->cursor = 1;
  return settings;
}
static Settings *settings_of(CFTypeRef self) { return checked(self, INSTANCE); }
static void set_width(CFTypeRef self, const char *selector, size_t width) { settings_of(self)->width = width; }
static void set_height(CFTypeRef self, const char *selector, size_t height) { settings_of(self)->height = height; }
static void set_cursor(CFTypeRef self, const char *selector, signed char shown) { settings_of(self)->cursor = shown; }
static void set_shadows(CFTypeRef self, const char *selector, signed char ignored) { settings_of(self)->shadows_ignored = ignored; }
static void set_resolution(CFTypeRef self, const char *selector, long resolution) { settings_of(self)->resolution = resolution; }
static void set_format(CFTypeRef self, const char *selector, uint32_t format) { settings_of(self)->format = format; }
static void set_space(CFTypeRef self, const char *selector, CFTypeRef space) { settings_of(self)->space = space; }

/* ---- pixels: blue, green, red, alpha ---- */

static uint32_t hashed(uint32_t value) { return (value * 2654435761u) >> 8 & 0xFFFFFF; }
static void fill(uint32_t *pixels, size_t width, size_t height, Rect at, double scale, uint32_t colour) {
  long left = at.x * scale, top = at.y * scale, right = (at.x + at.width) * scale, bottom = (at.y + at.height) * scale;
  for (long y = top < 0 ? 0 : top; y < bottom && y < (long)height; y++)
    for (long x = left < 0 ? 0 : left; x < right && x < (long)width; x++) pixels[y * width + x] = 0xFF000000u | colour;
}
static uint32_t shown_value(const Node *node) {
  uint32_t sum = 0;
  for (int a = 0; a < node->attribute_count; a++) {
    CFTypeRef value = node->attributes[a].value;
    if (type_of(value) == NUMBER) sum = sum * 31 + (uint32_t)(int64_t)number_of(value) + 1;
    if (type_of(value) != STRING) continue;
    long length = CFStringGetLength(value);
    uint16_t units[length + 1];
    CFStringGetCharacters(value, 0, length, units);
    for (long i = 0; i < length; i++) sum = sum * 31 + units[i];
  }
  return sum;
}
static int window_above(int element) {
  for (; element != 0; element = node_of(element)->parent)
    if (node_of(element)->window != 0 || node_of(element)->surface != 0) return node_of(element)->window + node_of(element)->surface;
  return 0;
}
static void paint_window(uint32_t *pixels, size_t width, size_t height, const Window *window, double x, double y, double scale) {
  if (window->passes_hits == 1) return; /* as the surfaces of the system, which are clear */
  Rect at = { window->bounds.x - x, window->bounds.y - y, window->bounds.width, window->bounds.height };
  fill(pixels, width, height, at, scale, hashed(window->number));
  for (int n = 1; n <= desktop.node_count; n++) {
    Node *node = node_of(n);
    if (node->gone || !node->has_frame || node->window != 0 || window_above(n) != (int)window->number) continue;
    fill(pixels, width, height, (Rect){ node->frame.x - x, node->frame.y - y, node->frame.width, node->frame.height }, scale, hashed(n * 7919 + shown_value(node)));
  }
}
static int is_left_out(const Target *filter, uint32_t number) {
  for (long i = 0; i < filter->left_out_count; i++)
    if (filter->left_out[i] == number) return 1;
  return 0;
}
static CFTypeRef picture_of(const Target *filter, const Settings *settings) {
  size_t width = settings->width, height = settings->height, pad = kit.picture_mode == PADDED ? 64 : 0;
  double scale = filter_scale(filter);
  Rect from = filter_rect(filter);
  uint32_t *pixels = calloc(width * height, 4);
  if (kit.picture_mode != EMPTY && filter->is_window) paint_window(pixels, width, height, window_of(filter->number), from.x, from.y, scale);
  else if (kit.picture_mode != EMPTY) {
    for (size_t i = 0; i < width * height; i++) pixels[i] = 0xFF000000u | (uint32_t)((i % width / 4 % 200) << 16 | (i / width / 4 % 200) << 8 | 40);
    for (int i = desktop.window_count - 1; i >= 0; i--)
      if (desktop.windows[i].on_screen && app_of(desktop.windows[i].pid) != NULL && !is_left_out(filter, desktop.windows[i].number)) paint_window(pixels, width, height, &desktop.windows[i], from.x, from.y, scale);
  }
  Image *image = make(sizeof(Image), IMAGE);
  int deep = kit.picture_mode == DEEP;
  image->width = width, image->height = height;
  image->bits = deep ? 64 : 32;
  image->info = deep ? 0x1101 : 0x2002;
  image->row = width * image->bits / 8 + pad;
  uint8_t *rows = calloc(height, image->row);
  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < width; x++) {
      uint32_t pixel = pixels[y * width + x];
      if (!deep) memcpy(rows + y * image->row + 4 * x, &pixel, 4);
      else
        for (int c = 0; c < 4; c++) ((uint16_t *)(rows + y * image->row))[4 * x + c] = (c == 3 ? pixel >> 24 : pixel >> (16 - 8 * c) & 0xFF) * 257;
    }
  Provider *provider = make(sizeof(Provider), PROVIDER);
  provider->data = make_data(rows, height * image->row);
  image->provider = provider;
  free(pixels), free(rows);
  return image;
}
void end_picture(Header *head) {
  if (head->type == IMAGE) released(((Image *)head)->provider);
  if (head->type == PROVIDER) released(((Provider *)head)->data);
  if (head->type == CONTEXT) released(((Context *)head)->space);
}
static void capture_image(CFTypeRef self, const char *selector, CFTypeRef filter, CFTypeRef with, const void *block) {
  Settings *settings = settings_of(with);
  if (settings->cursor != 0 || settings->shadows_ignored != 1 || settings->resolution != 1 || settings->format != 0x42475241 || settings->space != kCGColorSpaceSRGB)
    die("a picture with other settings");
  kit.busy++;
  if (kit.picture_mode == NEVER) return;
  if (kit.moves != 0) {
    window_of(kit.moves)->bounds.x += 10;
    kit.moves = 0;
  }
  CFTypeRef image = kit.picture_mode == ERRS ? NULL : picture_of(checked(filter, INSTANCE), settings);
  call_later(block, image, image == NULL ? make_error(kit.code) : NULL, kit.picture_mode == TWICE ? 2 : 1, 1);
}

static Image *image_of(CFTypeRef ref) { return checked(ref, IMAGE); }
size_t CGImageGetWidth(CFTypeRef image) { return image_of(image)->width; }
size_t CGImageGetHeight(CFTypeRef image) { return image_of(image)->height; }
size_t CGImageGetBitsPerPixel(CFTypeRef image) { return image_of(image)->bits; }
size_t CGImageGetBytesPerRow(CFTypeRef image) { return image_of(image)->row; }
uint32_t CGImageGetBitmapInfo(CFTypeRef image) { return image_of(image)->info; }
CFTypeRef CGImageGetDataProvider(CFTypeRef image) { return image_of(image)->provider; }
CFTypeRef CGDataProviderCopyData(CFTypeRef provider) { return retained(((Provider *)checked(provider, PROVIDER))->data); }
CFTypeRef CGColorSpaceCreateWithName(CFTypeRef name) {
  if (name != kCGColorSpaceSRGB) die("another colour space");
  return make(sizeof(Header), SPACE);
}
CFTypeRef CGBitmapContextCreate(void *pixels, size_t width, size_t height, size_t depth, size_t row, CFTypeRef space, uint32_t info) {
  if (depth != 8 || row != 4 * width || info != 0x4005) die("a bitmap of %zu bits, %#x", depth, info);
  Context *context = make(sizeof(Context), CONTEXT);
  context->space = retained(checked(space, SPACE));
  context->pixels = pixels, context->width = width, context->height = height;
  return context;
}
void CGContextDrawImage(CFTypeRef ref, Rect at, CFTypeRef from) {
  Context *context = checked(ref, CONTEXT);
  Image *image = image_of(from);
  if (at.x != 0 || at.y != 0 || at.width != context->width || at.height != context->height) die("drawn elsewhere");
  const uint8_t *rows = CFDataGetBytePtr(((const Provider *)image->provider)->data);
  for (size_t y = 0; y < image->height; y++)
    for (size_t x = 0; x < image->width; x++)
      for (int c = 0; c < 3; c++) context->pixels[(y * context->width + x) * 4 + c] = ((const uint16_t *)(rows + y * image->row))[4 * x + c] >> 8;
}

static const Method none[] = { { NULL, NULL } };
static const Method content_class_methods[] = { { "getShareableContentExcludingDesktopWindows:onScreenWindowsOnly:completionHandler:", get_content }, { NULL, NULL } };
static const Method content_methods[] = { { "windows", content_windows }, { "displays", content_displays }, { NULL, NULL } };
static const Method window_methods[] = { { "windowID", target_number }, { NULL, NULL } };
static const Method display_methods[] = { { "displayID", target_number }, { NULL, NULL } };
static const Method filter_class_methods[] = { { "alloc", filter_alloc }, { NULL, NULL } };
static const Method filter_methods[] = {
  { "initWithDisplay:excludingWindows:", filter_display }, { "initWithDesktopIndependentWindow:", filter_window },
  { "contentRect", filter_rect }, { "pointPixelScale", filter_scale }, { NULL, NULL },
};
static const Method settings_class_methods[] = { { "alloc", settings_alloc }, { NULL, NULL } };
static const Method settings_methods[] = {
  { "init", settings_init }, { "setWidth:", set_width }, { "setHeight:", set_height }, { "setShowsCursor:", set_cursor },
  { "setIgnoreShadowsSingleWindow:", set_shadows }, { "setCaptureResolution:", set_resolution }, { "setPixelFormat:", set_format },
  { "setColorSpaceName:", set_space }, { NULL, NULL },
};
static const Method manager_class_methods[] = { { "captureImageWithFilter:configuration:completionHandler:", capture_image }, { NULL, NULL } };

__attribute__((constructor)) static void start(void) {
  kCGColorSpaceSRGB = immortal(make_text("kCGColorSpaceSRGB"));
  content_class = class_named("SCShareableContent", content_class_methods, content_methods);
  window_class = class_named("SCWindow", none, window_methods);
  display_class = class_named("SCDisplay", none, display_methods);
  filter_class = class_named("SCContentFilter", filter_class_methods, filter_methods);
  settings_class = class_named("SCStreamConfiguration", settings_class_methods, settings_methods);
  manager_class = class_named("SCScreenshotManager", manager_class_methods, none);
}
