// As much of Node-API as native-addon/ uses, for machines where Node came without its headers.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define NAPI_AUTO_LENGTH SIZE_MAX
typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_ref__ *napi_ref;
typedef struct napi_callback_info__ *napi_callback_info;
typedef struct napi_threadsafe_function__ *napi_threadsafe_function;
typedef enum { napi_ok, napi_pending_exception = 10 } napi_status;
typedef enum { napi_default = 0, napi_enumerable = 2 } napi_property_attributes;
typedef enum { napi_tsfn_release, napi_tsfn_abort } napi_threadsafe_function_release_mode;
typedef enum { napi_tsfn_nonblocking, napi_tsfn_blocking } napi_threadsafe_function_call_mode;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);
typedef void (*napi_finalize)(napi_env, void *data, void *hint);
typedef void (*napi_threadsafe_function_call_js)(napi_env, napi_value callback, void *context, void *data);
typedef struct {
  const char *utf8name;
  napi_value name;
  napi_callback method, getter, setter;
  napi_value value;
  napi_property_attributes attributes;
  void *data;
} napi_property_descriptor;

extern "C" {
napi_status napi_add_env_cleanup_hook(napi_env, void (*)(void *), void *);
napi_status napi_remove_env_cleanup_hook(napi_env, void (*)(void *), void *);
napi_status napi_call_function(napi_env, napi_value receiver, napi_value function, size_t, const napi_value *, napi_value *);
napi_status napi_call_threadsafe_function(napi_threadsafe_function, void *, napi_threadsafe_function_call_mode);
napi_status napi_create_buffer_copy(napi_env, size_t, const void *, void **, napi_value *);
napi_status napi_create_object(napi_env, napi_value *);
napi_status napi_create_string_utf8(napi_env, const char *, size_t, napi_value *);
napi_status napi_create_threadsafe_function(napi_env, napi_value function, napi_value resource, napi_value name, size_t most,
                                            size_t threads, void *finalizeData, napi_finalize, void *context,
                                            napi_threadsafe_function_call_js, napi_threadsafe_function *);
napi_status napi_create_uint32(napi_env, uint32_t, napi_value *);
napi_status napi_define_properties(napi_env, napi_value, size_t, const napi_property_descriptor *);
[[noreturn]] void napi_fatal_error(const char *, size_t, const char *, size_t);
napi_status napi_fatal_exception(napi_env, napi_value);
napi_status napi_get_and_clear_last_exception(napi_env, napi_value *);
napi_status napi_get_boolean(napi_env, bool, napi_value *);
napi_status napi_get_cb_info(napi_env, napi_callback_info, size_t *, napi_value *, napi_value *, void **);
napi_status napi_get_named_property(napi_env, napi_value, const char *, napi_value *);
napi_status napi_get_null(napi_env, napi_value *);
napi_status napi_get_undefined(napi_env, napi_value *);
napi_status napi_get_value_int64(napi_env, napi_value, int64_t *);
napi_status napi_get_value_string_utf8(napi_env, napi_value, char *, size_t, size_t *);
napi_status napi_release_threadsafe_function(napi_threadsafe_function, napi_threadsafe_function_release_mode);
napi_status napi_set_named_property(napi_env, napi_value, const char *, napi_value);
napi_status napi_throw_error(napi_env, const char *code, const char *text);
napi_status napi_wrap(napi_env, napi_value, void *, napi_finalize, void *hint, napi_ref *);
}

#define NAPI_MODULE_INIT()                                                                                             \
  extern "C" __attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports)
