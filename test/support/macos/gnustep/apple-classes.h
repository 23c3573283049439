/* Methods of Apple's classes as their headers declare them, in the words of the compiler; written without a look at the table of messages. */
#import <Foundation/Foundation.h>
#include <stdint.h>
#include <string.h>

typedef const struct CGImage *CGImageRef;
typedef struct CGEvent *CGEventRef;
typedef const struct CFString *CFStringRef;
typedef struct CGPoint { double x, y; } CGPoint;
typedef struct CGSize { double width, height; } CGSize;
typedef struct CGRect { CGPoint origin; CGSize size; } CGRect;
/* Blocks, which the compiler does not know: pointers to what is called. */
typedef void (*Completion)(id, NSError *);

@protocol NSWorkspace
+ (id)sharedWorkspace;
- (NSArray *)runningApplications;
- (id)frontmostApplication;
- (void)openApplicationAtURL:(NSURL *)url configuration:(id)configuration completionHandler:(Completion)handler;
- (void)openURLs:(NSArray *)urls withApplicationAtURL:(NSURL *)url configuration:(id)configuration completionHandler:(Completion)handler;
@end
@protocol NSWorkspaceOpenConfiguration
+ (id)configuration;
- (void)setActivates:(BOOL)on;
- (void)setAddsToRecentItems:(BOOL)on;
- (void)setPromptsUserIfNeeded:(BOOL)on;
- (void)setCreatesNewApplicationInstance:(BOOL)on;
@end
@protocol NSRunningApplication
+ (id)runningApplicationWithProcessIdentifier:(pid_t)pid;
- (NSInteger)activationPolicy;
- (NSString *)bundleIdentifier;
- (NSString *)localizedName;
- (pid_t)processIdentifier;
- (BOOL)isFinishedLaunching;
- (BOOL)terminate;
@end
@protocol NSPasteboard
+ (id)generalPasteboard;
- (NSInteger)changeCount;
- (NSInteger)clearContents;
- (NSInteger)accessBehavior;
- (NSArray *)types;
- (NSArray *)pasteboardItems;
- (NSString *)stringForType:(NSString *)type;
- (NSData *)dataForType:(NSString *)type;
- (BOOL)writeObjects:(NSArray *)objects;
- (BOOL)setString:(NSString *)string forType:(NSString *)type;
- (BOOL)setData:(NSData *)data forType:(NSString *)type;
@end
@protocol NSPasteboardItem
- (NSArray *)types;
- (NSString *)stringForType:(NSString *)type;
- (NSData *)dataForType:(NSString *)type;
- (BOOL)setData:(NSData *)data forType:(NSString *)type;
@end
@protocol SCShareableContent
+ (void)getShareableContentExcludingDesktopWindows:(BOOL)excluded onScreenWindowsOnly:(BOOL)only completionHandler:(Completion)handler;
- (NSArray *)windows;
- (NSArray *)displays;
@end
@protocol SCDisplay
- (uint32_t)displayID;
@end
@protocol SCWindow
- (uint32_t)windowID;
@end
@protocol SCContentFilter
- (id)initWithDisplay:(id)display excludingWindows:(NSArray *)excluded;
- (id)initWithDesktopIndependentWindow:(id)window;
- (CGRect)contentRect;
- (float)pointPixelScale;
@end
@protocol SCStreamConfiguration
- (void)setWidth:(size_t)width;
- (void)setHeight:(size_t)height;
- (void)setShowsCursor:(BOOL)shows;
- (void)setIgnoreShadowsSingleWindow:(BOOL)ignored;
- (void)setCaptureResolution:(NSInteger)resolution;
- (void)setPixelFormat:(uint32_t)format;
- (void)setColorSpaceName:(CFStringRef)name;
@end
@protocol SCScreenshotManager
+ (void)captureImageWithFilter:(id)filter configuration:(id)configuration completionHandler:(Completion)handler;
@end
@protocol NSEvent
+ (id)otherEventWithType:(NSUInteger)type
                location:(CGPoint)location
           modifierFlags:(NSUInteger)flags
               timestamp:(NSTimeInterval)time
            windowNumber:(NSInteger)number
                 context:(id)context
                 subtype:(short)subtype
                   data1:(NSInteger)data1
                   data2:(NSInteger)data2;
- (CGEventRef)CGEvent;
@end
@protocol NSScreen
+ (NSArray *)screens;
- (uint32_t)CGDirectDisplayID;
- (NSString *)localizedName;
- (CGRect)visibleFrame;
@end

#define APPLE(name) static Protocol *protocol_##name(void) { return @protocol(name); }
#define ALL_APPLE(DO)                                                                                              \
  DO(NSWorkspace) DO(NSWorkspaceOpenConfiguration) DO(NSRunningApplication) DO(NSPasteboard) DO(NSPasteboardItem)    \
  DO(SCShareableContent) DO(SCDisplay) DO(SCWindow) DO(SCContentFilter) DO(SCStreamConfiguration)                    \
  DO(SCScreenshotManager) DO(NSEvent) DO(NSScreen)
ALL_APPLE(APPLE)
#define ROW(name) { #name, protocol_##name },
static const struct { const char *name; Protocol *(*protocol)(void); } apple_classes[] = { ALL_APPLE(ROW) { NULL, NULL } };

static Protocol *apple_class(const char *name) {
  for (int i = 0; apple_classes[i].name != NULL; i++)
    if (strcmp(apple_classes[i].name, name) == 0) return apple_classes[i].protocol();
  return nil;
}
