#!/bin/sh
# Begins a container. Platforms mount a volume as root, and what serves is never root: so root hands the folders of the
# data over and becomes the user node. Any other user stays what it is.
if [ "$(id -u)" != 0 ]; then exec "$@"; fi
for folder in /app/data "$RAILWAY_VOLUME_MOUNT_PATH"; do
  if [ -d "$folder" ]; then
    chown -hR node:node "$folder" || {
      echo 'Start the container with --user node, or as root with the capabilities CHOWN, SETUID and SETGID.' >&2
      exit 1
    }
  fi
done
export HOME=/home/node
exec setpriv --reuid=node --regid=node --init-groups "$@"
