FROM rust:1.95-bookworm AS build
WORKDIR /src
# Named one by one, so that a `target/` or a ledger beside them is neither sent to the builder nor in its cache.
# The generator holds the layout of the clients that it writes: `.rustfmt.toml`.
COPY Cargo.toml Cargo.lock .rustfmt.toml ./
COPY .cargo .cargo
COPY codegen codegen
COPY macros macros
COPY server server
COPY spec spec
# Built is the server alone; cargo wants to see every member of the workspace.
COPY tests tests
RUN cargo build --release --locked -p tollgate-server

FROM debian:12-slim
# The certificates of the system, by which providers are verified; the image has none of its own.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /src/target/release/tollgate /usr/local/bin/
# A new volume takes its owner from this folder.
RUN install -d -m 700 -o 10001 -g 10001 /var/lib/tollgate
USER 10001:10001
WORKDIR /var/lib/tollgate
# Give it a name (`docker run -v tollgate:/var/lib/tollgate`): one without is another with each container.
VOLUME /var/lib/tollgate
# They override a configuration file's.
ENV TOLLGATE_LISTEN=0.0.0.0:8080 TOLLGATE_DATA_DIR=/var/lib/tollgate
EXPOSE 8080
# Streams have 30 seconds to end after SIGTERM, and the ledger some more: `docker run --stop-timeout 90`, where the default is 10.
STOPSIGNAL SIGTERM
# bash, because the image has no curl. Alive, not ready: a restart does not help where the ledger cannot be written.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && grep -q '^HTTP/1.1 200' <&3"]
ENTRYPOINT ["tollgate"]
