#!/bin/sh
# Builds the image, then starts it, calls it and stops it twice, with podman or docker: as hosting platforms do, and with
# the options of compose.yaml. Prints a line for each check, and exits with 1 at the first that fails. Only base images
# and the build cache stay. It needs curl.
#   sh deploy/check-image.sh
set -eu
cd "$(dirname "$0")/.."

# An image of Node with this service has about 400 MB.
BYTES_MAX=600000000
HEALTH_TRIES=60

engine=
for each in podman docker; do
  if command -v "$each" >/dev/null && "$each" info >/dev/null 2>&1; then engine=$each && break; fi
done
if [ -z "$engine" ]; then
  echo 'Neither podman nor docker runs here: the image cannot be checked.' >&2
  exit 1
fi

command -v curl >/dev/null || { echo 'The check needs curl.' >&2 && exit 1; }

name=quartermaster-check-$$
fail() {
  echo "FAILED: $1" >&2
  exit 1
}
remove() {
  "$engine" rm -f "$name" >/dev/null 2>&1 || true
  "$engine" volume rm "$name" >/dev/null 2>&1 || true
}
clean() {
  remove
  "$engine" rmi "$name" >/dev/null 2>&1 || true
}
trap clean EXIT
# Some shells leave without the trap above when a signal ends them.
trap 'exit 130' INT TERM HUP

commit=$(git rev-parse HEAD 2>/dev/null || true)
# Podman leaves HEALTHCHECK out of images of its own format.
format=
if [ "$engine" = podman ]; then format='--format docker'; fi
# shellcheck disable=SC2086
"$engine" build $format --build-arg "COMMIT=$commit" -t "$name" . || fail 'the image cannot be built'
echo "built with $engine"

bytes=$("$engine" image inspect --format '{{.Size}}' "$name") || fail 'the image cannot be inspected'
[ "$bytes" -le "$BYTES_MAX" ] || fail "the image has $bytes bytes, more than $BYTES_MAX"
echo "size: $((bytes / 1000000)) MB"

is_healthy() {
  # Podman checks by itself only where systemd runs.
  if [ "$engine" = podman ]; then podman healthcheck run "$name" >/dev/null 2>&1; else
    [ "$(docker inspect --format '{{.State.Health.Status}}' "$name")" = healthy ]
  fi
}

# Starts, calls and stops a container with a new volume. Its arguments are options of the engine.
check_container() {
  "$engine" run -d --name "$name" "$@" -v "$name:/app/data" -p 127.0.0.1::3000 "$name" >/dev/null ||
    fail 'the container does not start'
  tries=0
  until is_healthy; do
    tries=$((tries + 1))
    if [ "$tries" -ge "$HEALTH_TRIES" ]; then
      "$engine" logs "$name" >&2
      fail "it is not healthy after $HEALTH_TRIES checks"
    fi
    sleep 1
  done
  echo 'healthy'

  uid=$("$engine" exec "$name" sh -c 'awk "/^Uid:/ { print \$2 }" /proc/1/status') || fail 'no command runs in the container'
  [ "$uid" != 0 ] || fail 'the service runs as root'
  echo "user: $uid"

  address=$("$engine" port "$name" 3000 | head -n 1)
  key=$("$engine" exec -u node "$name" npm run --silent key -- create 0) || fail 'no key can be made'
  answer=$(curl -sS -m 10 -H "Authorization: $key" -d 'text=!ban <@123456789012345678> 7d spam' \
    "http://$address/api/parse-args") || fail 'a call is not answered'
  case "$answer" in
    '{"ok":true,'*'"duration":"7d"'*) echo 'call: answered' ;;
    *) fail "the answer to a call is not as documented: $answer" ;;
  esac

  # The service ends its requests first, for 15 s at most.
  "$engine" stop -t 40 "$name" >/dev/null || fail 'it cannot be stopped'
  code=$("$engine" inspect --format '{{.State.ExitCode}}' "$name")
  [ "$code" = 0 ] || fail "it exits with $code when it is stopped"
  echo 'stopped in order'
  remove
}

echo 'started as root, as hosting platforms do'
check_container --read-only --tmpfs /tmp

# A test compares these options with compose.yaml.
echo 'started as in compose.yaml'
check_container --user node --init --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges:true --memory 512m
