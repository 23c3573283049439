#!/bin/sh
# Starts the host on its private display and the SSH server in front of it; where one ends, so does the other.
# In /keys: person.pub (a shell, for the page and `chaperone pair`) and agent.pub (the host's socket and nothing else).
set -eu

user=${DESK_USER:-desk}
keys=${DESK_KEYS:-/keys}
known=${DESK_KNOWN:-/known}
config=${DESK_CONFIG:-/etc/chaperone/sshd_config}
state=${DESK_SSH:-/etc/chaperone/ssh}
port=${DESK_PORT:-22}
home=$(getent passwd "$user" | cut -d: -f6)

if [ ! -s "$keys/person.pub" ] && [ ! -s "$keys/agent.pub" ]; then
  echo "Put a public key into $keys: person.pub for yourself, agent.pub for an agent." >&2
  exit 1
fi

mkdir -p "$state" "$known"
chmod 755 "$state"
if [ ! -s "$state/host_key" ]; then
  ssh-keygen -q -t ed25519 -N '' -C '' -f "$state/host_key"
fi
printf 'desktop %s\n' "$(cat "$state/host_key.pub")" > "$known/known_hosts"

# An agent's key forwards to this one socket, to no port and to no other socket.
socket=$home/.local/state/chaperone/host.sock
limits="restrict,port-forwarding,permitopen=\"[$socket]:*\",command=\"chaperone where\""
: > "$state/authorized_keys"
if [ -s "$keys/person.pub" ]; then cat "$keys/person.pub" >> "$state/authorized_keys"; fi
if [ -s "$keys/agent.pub" ]; then
  while read -r key; do printf '%s %s\n' "$limits" "$key"; done < "$keys/agent.pub" >> "$state/authorized_keys"
fi
chmod 644 "$state/authorized_keys"

/usr/sbin/sshd -D -e -f "$config" -h "$state/host_key" -o "Port=$port" -o "AuthorizedKeysFile=$state/authorized_keys" -o "AllowUsers=$user" &
ssh=$!
cd "$home"
# Not `runuser`, which stays between and kills the host two seconds after a signal.
setpriv --reuid "$user" --regid "$user" --init-groups env HOME="$home" USER="$user" LOGNAME="$user" \
  chaperone host --display virtual --print-pairing &
host=$!
stopped=
trap 'stopped=1; kill "$host" "$ssh" 2>/dev/null || true' TERM INT
while kill -0 "$host" 2>/dev/null && kill -0 "$ssh" 2>/dev/null; do
  sleep 1 &
  wait $! || true
done
kill "$host" "$ssh" 2>/dev/null || true
wait "$host" || true
[ -n "$stopped" ]
