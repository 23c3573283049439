// What JavaScript sees of the service: `listen` and `request`. Events reach it through a thread-safe function, on its own thread.
#import "service.h"
#import <node_api.h>

// Fails for good where N-API does: that is a fault in this file, and going on would lose replies.
#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    if ((call) != napi_ok) napi_fatal_error(__FILE__, NAPI_AUTO_LENGTH, #call, NAPI_AUTO_LENGTH);                      \
  } while (0)

static napi_value member(napi_env env, napi_value object, const char *name) {
  napi_value value;
  return napi_get_named_property(env, object, name, &value) == napi_ok ? value : nullptr;
}

// nil where it is no string.
static NSString *textOf(napi_env env, napi_value value) {
  size_t length = 0;
  if (value == nullptr || napi_get_value_string_utf8(env, value, nullptr, 0, &length) != napi_ok) return nil;
  NSMutableData *bytes = [NSMutableData dataWithLength:length + 1];
  CHECK(napi_get_value_string_utf8(env, value, (char *)bytes.mutableBytes, length + 1, &length));
  return [[NSString alloc] initWithBytes:bytes.bytes length:length encoding:NSUTF8StringEncoding];
}

static int64_t numberOf(napi_env env, napi_value value) {
  int64_t number = 0;
  return value != nullptr && napi_get_value_int64(env, value, &number) == napi_ok ? number : 0;
}

static napi_value string(napi_env env, NSString *text) {
  napi_value value;
  NSData *bytes = [text dataUsingEncoding:NSUTF8StringEncoding];
  if (bytes == nil) CHECK(napi_get_null(env, &value));
  else CHECK(napi_create_string_utf8(env, (const char *)bytes.bytes, bytes.length, &value));
  return value;
}

static void set(napi_env env, napi_value object, const char *name, napi_value value) {
  CHECK(napi_set_named_property(env, object, name, value));
}

static void setNumber(napi_env env, napi_value object, const char *name, uint32_t number) {
  napi_value value;
  CHECK(napi_create_uint32(env, number, &value));
  set(env, object, name, value);
}

// A service and the function that gets its events. `queue` is null once it is closed.
@interface CHPBinding : NSObject
@property(nonatomic) CHPService *service;
@property(nonatomic) napi_threadsafe_function queue;
@end

@implementation CHPBinding
- (void)post:(CHPEvent *)event {
  @synchronized(self) {
    if (self.queue == nullptr) return;
    void *data = (void *)CFBridgingRetain(event);
    if (napi_call_threadsafe_function(self.queue, data, napi_tsfn_nonblocking) != napi_ok) CFRelease(data);
  }
}
- (void)close {
  [self.service close];
  @synchronized(self) {
    if (self.queue == nullptr) return;
    napi_release_threadsafe_function(self.queue, napi_tsfn_release);
    self.queue = nullptr;
  }
}
@end

static napi_value describe(napi_env env, CHPEvent *event) {
  napi_value object, text, token;
  CHECK(napi_create_object(env, &object));
  setNumber(env, object, "connection", event.connection);
  const char *kind = event.kind == CHPConnected ? "connected" : event.kind == CHPMessage ? "message" : "closed";
  CHECK(napi_create_string_utf8(env, kind, NAPI_AUTO_LENGTH, &text));
  set(env, object, "kind", text);
  if (event.kind == CHPConnected) {
    setNumber(env, object, "pid", (uint32_t)event.pid);
    setNumber(env, object, "uid", (uint32_t)event.uid);
    CHECK(napi_create_buffer_copy(env, event.token.length, event.token.bytes, nullptr, &token));
    set(env, object, "token", token);
  }
  if (event.kind == CHPMessage) {
    setNumber(env, object, "call", event.call);
    CHECK(napi_create_string_utf8(env, (const char *)event.text.bytes, event.text.length, &text));
    set(env, object, "text", text);
  }
  return object;
}

// On the JavaScript thread. `env` is null while the environment ends.
static void deliver(napi_env env, napi_value callback, void *context, void *data) {
  CHPEvent *event = CFBridgingRelease(data);
  CHPBinding *binding = (__bridge CHPBinding *)context;
  if (env == nullptr || callback == nullptr) return;
  // Its peer has been told that nothing was run.
  if (event.kind == CHPMessage && ![event.reply take]) return (void)[binding.service reply:event.call text:@""];
  napi_value receiver, argument = describe(env, event);
  CHECK(napi_get_undefined(env, &receiver));
  if (napi_call_function(env, receiver, callback, 1, &argument, nullptr) != napi_pending_exception) return;
  napi_value thrown;
  CHECK(napi_get_and_clear_last_exception(env, &thrown));
  napi_fatal_exception(env, thrown);
}

// The binding and the arguments of a method of the service.
static CHPBinding *called(napi_env env, napi_callback_info info, size_t count, napi_value *arguments) {
  void *data = nullptr;
  CHECK(napi_get_cb_info(env, info, &count, arguments, nullptr, &data));
  return (__bridge CHPBinding *)data;
}

static napi_value boolean(napi_env env, BOOL value) {
  napi_value result;
  CHECK(napi_get_boolean(env, value ? true : false, &result));
  return result;
}

static napi_value reply(napi_env env, napi_callback_info info) {
  napi_value given[2] = {nullptr, nullptr};
  CHPBinding *binding = called(env, info, 2, given);
  NSString *text = textOf(env, given[1]);
  return boolean(env, text != nil && [binding.service reply:(uint32_t)numberOf(env, given[0]) text:text]);
}

static napi_value isSame(napi_env env, napi_callback_info info) {
  napi_value given[1] = {nullptr};
  CHPBinding *binding = called(env, info, 1, given);
  return boolean(env, [binding.service isSame:(uint32_t)numberOf(env, given[0])]);
}

static napi_value drop(napi_env env, napi_callback_info info) {
  napi_value given[1] = {nullptr};
  CHPBinding *binding = called(env, info, 1, given);
  [binding.service drop:(uint32_t)numberOf(env, given[0])];
  return nullptr;
}

static napi_value closeService(napi_env env, napi_callback_info info) {
  [called(env, info, 0, nullptr) close];
  return nullptr;
}

static void closeWithEnvironment(void *data) {
  [(__bridge CHPBinding *)data close];
}

// The methods keep the binding, and it keeps itself open, until the service's object is gone.
static void release(napi_env env, void *data, void *) {
  napi_remove_env_cleanup_hook(env, closeWithEnvironment, data);
  [(__bridge CHPBinding *)data close];
  CFRelease(data);
}

static CHPOptions *optionsOf(napi_env env, napi_value given) {
  CHPOptions *options = [[CHPOptions alloc] init];
  options.service = textOf(env, member(env, given, "service"));
  options.requirement = textOf(env, member(env, given, "requirement"));
  options.maxBytes = (NSUInteger)numberOf(env, member(env, given, "maxBytes"));
  options.maxConnections = (NSUInteger)numberOf(env, member(env, given, "maxConnections"));
  options.maxCalls = (NSUInteger)numberOf(env, member(env, given, "maxCalls"));
  options.takeMs = numberOf(env, member(env, given, "takeMs"));
  options.answerMs = numberOf(env, member(env, given, "answerMs"));
  napi_value errors = member(env, given, "errors");
  options.tooLarge = textOf(env, member(env, errors, "tooLarge"));
  options.unreadable = textOf(env, member(env, errors, "unreadable"));
  options.busy = textOf(env, member(env, errors, "busy"));
  options.unanswered = textOf(env, member(env, errors, "unanswered"));
  options.closed = textOf(env, member(env, errors, "closed"));
  return options;
}

static void releaseContext(napi_env, void *, void *context) {
  if (context != nullptr) CFRelease(context);
}

static napi_threadsafe_function queueFor(napi_env env, napi_value callback, CHPBinding *binding,
                                         napi_threadsafe_function_call_js call) {
  napi_value name;
  napi_threadsafe_function queue = nullptr;
  CHECK(napi_create_string_utf8(env, "chaperone", NAPI_AUTO_LENGTH, &name));
  // What is still queued when the service's object is gone finds the binding through this reference of its own.
  void *context = binding == nil ? nullptr : (void *)CFBridgingRetain(binding);
  napi_status made = napi_create_threadsafe_function(env, callback, nullptr, name, 0, 1, nullptr, releaseContext, context,
                                                     call, &queue);
  if (made == napi_ok) return queue;
  releaseContext(env, nullptr, context);
  return nullptr;
}

static napi_value refuse(napi_env env, const char *code, const char *text) {
  napi_throw_error(env, code, text);
  return nullptr;
}

// listen(options, onEvent): the service's object. Throws with code REQUIREMENT where the requirement cannot be read.
static napi_value listen(napi_env env, napi_callback_info info) {
  size_t count = 2;
  napi_value given[2] = {nullptr, nullptr};
  CHECK(napi_get_cb_info(env, info, &count, given, nullptr, nullptr));
  CHPOptions *options = optionsOf(env, given[0]);
  if (options.service == nil) return refuse(env, "ARGUMENTS", "service is missing");
  CHPBinding *binding = [[CHPBinding alloc] init];
  void *kept = (void *)CFBridgingRetain(binding);
  binding.queue = queueFor(env, given[1], binding, deliver);
  __weak CHPBinding *events = binding;
  binding.service = [[CHPService alloc] initWithOptions:options
                                                onEvent:^(CHPEvent *event) {
                                                  [events post:event];
                                                }];
  BOOL listens = binding.queue != nullptr && [binding.service listen];
  if (!listens) {
    BOOL callable = binding.queue != nullptr;
    [binding close];
    CFRelease(kept);
    return callable ? refuse(env, "REQUIREMENT", "the code-signing requirement cannot be read")
                    : refuse(env, "ARGUMENTS", "onEvent is no function");
  }
  napi_property_descriptor methods[] = {
      {"reply", nullptr, reply, nullptr, nullptr, nullptr, napi_default, kept},
      {"isSame", nullptr, isSame, nullptr, nullptr, nullptr, napi_default, kept},
      {"drop", nullptr, drop, nullptr, nullptr, nullptr, napi_default, kept},
      {"close", nullptr, closeService, nullptr, nullptr, nullptr, napi_default, kept},
  };
  napi_value object;
  CHECK(napi_create_object(env, &object));
  CHECK(napi_define_properties(env, object, sizeof methods / sizeof *methods, methods));
  CHECK(napi_add_env_cleanup_hook(env, closeWithEnvironment, kept));
  CHECK(napi_wrap(env, object, kept, release, nullptr, nullptr));
  return object;
}

static void answer(napi_env env, napi_value callback, void *, void *data) {
  NSArray *ended = CFBridgingRelease(data);
  if (env == nullptr || callback == nullptr) return;
  napi_value receiver, given[2];
  CHECK(napi_get_undefined(env, &receiver));
  for (NSUInteger at = 0; at < 2; at += 1) given[at] = string(env, ended[at] == NSNull.null ? nil : ended[at]);
  napi_call_function(env, receiver, callback, 2, given, nullptr);
}

// request(service, text, timeoutMs, done(problem, answer)): one message and its reply.
static napi_value request(napi_env env, napi_callback_info info) {
  size_t count = 4;
  napi_value given[4] = {nullptr, nullptr, nullptr, nullptr};
  CHECK(napi_get_cb_info(env, info, &count, given, nullptr, nullptr));
  NSString *service = textOf(env, given[0]), *text = textOf(env, given[1]);
  napi_threadsafe_function queue = queueFor(env, given[3], nil, answer);
  if (service == nil || text == nil || queue == nullptr) return refuse(env, "ARGUMENTS", "service, text or done is missing");
  CHPRequest(service, text, numberOf(env, given[2]), ^(NSString *received, NSString *problem) {
    NSArray *ended = @[ problem ?: NSNull.null, received ?: NSNull.null ];
    void *data = (void *)CFBridgingRetain(ended);
    if (napi_call_threadsafe_function(queue, data, napi_tsfn_nonblocking) != napi_ok) CFRelease(data);
    napi_release_threadsafe_function(queue, napi_tsfn_release);
  });
  return nullptr;
}

NAPI_MODULE_INIT() {
  napi_property_descriptor functions[] = {
      {"listen", nullptr, listen, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"request", nullptr, request, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
  };
  CHECK(napi_define_properties(env, exports, sizeof functions / sizeof *functions, functions));
  return exports;
}
