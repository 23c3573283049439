#pragma once
typedef struct { unsigned val[8]; } audit_token_t;
