# docker build -t quartermaster .        (or podman, buildah; --platform linux/arm64 works too)
# The minor version that npm ci installs on machines without it. Each build with --pull brings its patches.
ARG BASE=docker.io/library/node:24.21-bookworm-slim

FROM ${BASE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The runtime among the optional dependencies is for machines without Node 24; the image has it. sharp stays.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && \
  rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM ${BASE}
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
# Shown with the version: docker build --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT
RUN [ -z "$COMMIT" ] || echo "$COMMIT" > src/config/commit.txt
# The pages under /docs.
COPY docs ./docs
# For the command line: docker exec -u node <container> npm run --silent key -- list <guild_id>
COPY scripts/start.js scripts/key.ts scripts/backup.ts scripts/deploy-commands.ts ./scripts/
COPY scripts/key ./scripts/key
COPY scripts/backup ./scripts/backup
COPY deploy/container.sh ./deploy/
# SQLite's file and its log are in data. One start, until it is ready: containers, which may not write elsewhere, start
# with what it has compiled. That counts for this user.
RUN set -e; mkdir -p data node_modules/.cache; chown node:node data node_modules/.cache; \
  STORAGE_URL=memory: PORT=0 sh deploy/container.sh node scripts/start.js > /tmp/log & started=$!; \
  until grep -q '"msg":"ready"' /tmp/log; do kill -0 "$started"; sleep 1; done; \
  kill "$started"; wait "$started"; rm /tmp/log
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# It begins as root only to hand data over, and goes on as the user node. There is no VOLUME: Railway refuses it.
ENTRYPOINT ["sh", "/app/deploy/container.sh"]
CMD ["node", "scripts/start.js"]
