// A certified provider of OpenID Connect, with people that tests make, and ways to answer as no provider should.
//
// It prints a line of JSON when it listens, and ends when nobody holds its input any more. Beside its own paths it has
// `POST /test/people` (claims by subject; `test.forge` says how the person's ID tokens are changed, `test.shift` how many seconds
// their clock is ahead), `POST /test/set` (the settings below), `POST /test/rotate` (new keys), `POST /test/logout` (it signs a
// person out at the service) and `POST /test/logout_token` (a person's logout token for a client, forged in the same ways).
// A sign-in goes through at once for the person that `login_hint` names; otherwise a page asks who it is.
import { createServer } from "node:http";
import { createPrivateKey, createSecretKey, randomUUID, sign } from "node:crypto";
import { SignJWT, UnsecuredJWT, decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";
import { createMemoryAdapter } from "oidc-provider/lib/adapters/memory_adapter.js";

// What it says of its defaults is for who runs it in earnest, and nobody here listens.
console.info = console.warn = () => {};

const SECRET = "a secret: 100% of it";
const LOGOUT = "http://schemas.openid.net/event/backchannel-logout";
const people = new Map();
// `alg`: what tokens are signed by. `method`: how the client shows itself. `down`: nothing is answered. `logout`: where the service
// is told who was signed out. `refuses`: why no code is exchanged.
const settings = { alg: "RS256", method: "client_secret_basic", down: false, logout: undefined, refuses: undefined };
// What has begun goes on with other settings and keys.
const adapter = createMemoryAdapter(0);
let keys = await drawnKeys();
const foreign = await drawnKeys();

async function drawnKeys() {
  const drawn = await Promise.all(
    ["RS256", "PS256", "ES256", "ES384", "EdDSA"].map(async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true });
      return { ...(await exportJWK(privateKey)), alg, use: "sig", kid: `${alg}-${randomUUID()}` };
    }),
  );
  return drawn;
}

function made(url) {
  const client = {
    client_secret: SECRET,
    id_token_signed_response_alg: settings.alg,
    token_endpoint_auth_method: settings.method,
    ...(settings.logout && { backchannel_logout_uri: settings.logout, backchannel_logout_session_required: true }),
  };
  const provider = new Provider(url, {
    adapter,
    clients: [
      { ...client, client_id: "tollgate", redirect_uris: ["http://gateway.example/sign-in/company"] },
      // At any port of this machine (RFC 8252, 7.3), also beside another provider.
      {
        ...client,
        client_id: "tollgate: local",
        application_type: "native",
        redirect_uris: ["http://127.0.0.1/sign-in/company", "http://127.0.0.1/sign-in/other"],
      },
    ],
    jwks: { keys },
    cookies: { keys: ["of the tests"] },
    // The library calls no address of this machine, which is where the service of a test is.
    fetch: (address, { dispatcher, ...options }) => fetch(address, options),
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    enabledJWA: { idTokenSigningAlgValues: ["RS256", "PS256", "ES256", "ES384", "EdDSA"] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id), test: undefined }) }),
    // Nobody is asked what the service may know.
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client.clientId,
        accountId: ctx.oidc.session.accountId,
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route === "token" && ctx.body?.id_token) ctx.body.id_token = await forged(ctx.body.id_token);
    if (ctx.oidc?.route === "userinfo" && people.get(ctx.body?.sub)?.test?.forge === "userinfo") {
      ctx.body = { ...ctx.body, sub: "another" };
    }
  });
  return provider;
}

// A logout token of a person, made by hand so that it can be forged.
async function logoutToken({ subject, client }) {
  const { alg, kid } = keys.find(({ alg }) => alg === "RS256");
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: url, aud: client, sub: subject, iat: now, exp: now + 120, jti: randomUUID(), events: { [LOGOUT]: {} } };
  const key = createPrivateKey({ key: keys.find((key) => key.kid === kid), format: "jwk" });
  return forged(await new SignJWT(claims).setProtectedHeader({ alg, kid, typ: "logout+jwt" }).sign(key));
}

// A token as its person wants it: the provider's own, at another time, or as none should be.
async function forged(token) {
  const own = decodeJwt(token);
  const header = decodeProtectedHeader(token);
  const { forge, shift = 0 } = people.get(own.sub)?.test ?? {};
  const claims = { ...own, iat: own.iat + shift, exp: own.exp + shift };
  const now = Math.floor(Date.now() / 1000) + shift;
  const signed = (changes, by = keys, protectedHeader = header) => {
    const key = createPrivateKey({ key: by.find(({ alg }) => alg === header.alg), format: "jwk" });
    return new SignJWT({ ...claims, ...changes }).setProtectedHeader(protectedHeader).sign(key);
  };
  switch (forge) {
    case "nonce":
      return signed({ nonce: "of another sign-in" });
    case "without-nonce":
      return signed({ nonce: undefined });
    case "issuer":
      return signed({ iss: "https://another.example" });
    case "audience":
      return signed({ aud: "another" });
    case "party":
      return signed({ aud: [claims.aud, "another"], azp: "another" });
    case "shared":
      // For several services, and none of them is said to be the one.
      return signed({ aud: [claims.aud, "another"], azp: undefined });
    case "critical": {
      // A header member that has to be understood, and is not. The library refuses to sign it, so that it is signed by hand.
      const head = Buffer.from(JSON.stringify({ ...header, crit: ["exp"], exp: 1 })).toString("base64url");
      const body = Buffer.from(JSON.stringify(claims)).toString("base64url");
      const key = createPrivateKey({ key: keys.find(({ alg }) => alg === "RS256"), format: "jwk" });
      return `${head}.${body}.${sign("RSA-SHA256", Buffer.from(`${head}.${body}`), key).toString("base64url")}`;
    }
    case "expired":
      return signed({ exp: now - 61 });
    case "early":
      return signed({ nbf: now + 3600 });
    case "ahead":
      return signed({ iat: now + 3600 });
    case "old":
      return signed({ iat: now - 3600 });
    case "without-end":
      return signed({ exp: undefined });
    case "nobody":
      return signed({ sub: "" });
    case "without-subject":
      return signed({ sub: undefined, sid: "a session" });
    case "other-type":
      return signed({}, keys, { ...header, typ: "at+jwt" });
    case "without-event":
      return signed({ events: undefined });
    case "other-event":
      return signed({ events: { "https://schemas.openid.net/secevent/risc/event-type/account-disabled": {} } });
    case "foreign-key":
      return signed({}, foreign);
    case "foreign-kid":
      return signed({}, foreign, { ...header, kid: "another" });
    case "own-key":
      // The key that it brings itself is nobody's.
      return signed({}, foreign, { ...header, jwk: publicPart(foreign.find(({ alg }) => alg === header.alg)) });
    case "unsigned":
      return new UnsecuredJWT(claims).encode();
    case "by-secret":
      return new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(createSecretKey(Buffer.from(SECRET)));
    case "by-public-key": {
      // What everybody can read, taken for a secret.
      const { kid, n } = keys.find(({ alg }) => alg === "RS256");
      return new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid }).sign(createSecretKey(Buffer.from(n)));
    }
    case "changed": {
      const [head, , signature] = token.split(".");
      const body = Buffer.from(JSON.stringify({ ...claims, sub: "another" })).toString("base64url");
      return `${head}.${body}.${signature}`;
    }
    case "truncated":
      return token.slice(0, -4);
    default:
      return shift === 0 ? token : signed({});
  }
}

function publicPart({ kty, n, e, crv, x, y }) {
  return { kty, n, e, crv, x, y };
}

async function read(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function tested(path, request) {
  const told = JSON.parse((await read(request)) || "{}");
  if (path === "/test/people") for (const [name, claims] of Object.entries(told)) people.set(name, claims);
  else if (path === "/test/rotate") keys = await drawnKeys();
  else Object.assign(settings, told);
  if (path !== "/test/people") {
    provider = made(url);
    answer = provider.callback();
  }
}

// The page on which somebody says who it is, or the end of it.
async function interacted(request, response) {
  const { prompt, params } = await provider.interactionDetails(request, response);
  const name = request.method === "POST" ? new URLSearchParams(await read(request)).getAll("name").at(-1) : params.login_hint;
  if (prompt.name === "login" && !name) {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    return response.end(
      `<!doctype html><html lang="en"><title>Who are you?</title><form method="post"><label for="name">Name</label>
       <input id="name" name="name" required><button>Go on</button> <button name="name" value="denied">No</button></form>`,
    );
  }
  // Of a program on the person's own machine the provider asks once more.
  if (prompt.name === "consent") {
    return provider.interactionFinished(request, response, { consent: {} }, { mergeWithLastSubmission: true });
  }
  const result =
    name === "denied"
      ? { error: "access_denied", error_description: "<b>it was</b> refused" }
      : { login: { accountId: name, remember: false } };
  return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

let provider, answer, url;
const server = createServer(async (request, response) => {
  try {
    const { pathname } = new URL(request.url, url);
    if (pathname === "/test/logout_token") {
      response.writeHead(200).end(await logoutToken(JSON.parse(await read(request))));
    } else if (pathname === "/test/logout") {
      const { subject, client } = JSON.parse(await read(request));
      await (await provider.Client.find(client)).backchannelLogout(subject, "a session");
      response.writeHead(204).end();
    } else if (pathname.startsWith("/test/")) {
      await tested(pathname, request);
      response.writeHead(204).end();
    } else if (settings.down) response.writeHead(503).end();
    else if (settings.refuses && pathname === "/token") {
      response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error: settings.refuses }));
    }
    else if (pathname.startsWith("/interaction/")) await interacted(request, response);
    else answer(request, response);
  } catch (error) {
    response.writeHead(500).end(error.stack);
  }
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  url = `http://127.0.0.1:${server.address().port}`;
  provider = made(url);
  answer = provider.callback();
  console.log(JSON.stringify({ url, secret: SECRET }));
});
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
