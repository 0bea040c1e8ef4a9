# syntax=docker/dockerfile:1
# Sinete on one machine: docs/self-hosting.md. The version of Node is that of package.json.
ARG NODE_VERSION=24.21.0

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /opt/sinete
COPY package.json package-lock.json .npmrc ./
COPY clients/typescript/package.json clients/typescript/
COPY infra infra
RUN npm ci
COPY tsconfig.json ./
COPY functions functions
COPY shared shared
RUN npm run build:host

# Functions and pages are built: the packages for that stay behind.
FROM node:${NODE_VERSION}-bookworm-slim AS modules
WORKDIR /opt/sinete
COPY package.json package-lock.json .npmrc ./
COPY clients/typescript/package.json clients/typescript/
RUN npm ci --omit=dev --ignore-scripts \
 && rm -rf node_modules/esbuild node_modules/@esbuild node_modules/pdfjs-dist node_modules/pdf-lib/dist

FROM node:${NODE_VERSION}-bookworm-slim
WORKDIR /opt/sinete
COPY --from=modules /opt/sinete/node_modules node_modules
COPY package.json package-lock.json tsconfig.json LICENSE ./
COPY clients/typescript/package.json clients/typescript/
COPY clients/typescript/src clients/typescript/src
COPY functions functions
COPY shared shared
COPY infra infra
COPY cli cli
COPY packaging packaging
COPY docs docs
COPY README.md README.pt-BR.md SECURITY.md CONTRIBUTING.md CHANGELOG.md ./
COPY --from=build /opt/sinete/dist/host dist/host
RUN install -d -o 1000 -g 1000 -m 0700 /var/lib/sinete
ENV SINETE_CONFIG=/etc/sinete/sinete.yaml \
    SINETE_HEALTH_URL=http://127.0.0.1:3000/readyz
USER 1000:1000
VOLUME /var/lib/sinete
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "packaging/health.mjs"]
# Not by npm: the signal that stops the container reaches the host itself.
ENTRYPOINT ["node"]
CMD ["infra/host/serve.mjs"]
