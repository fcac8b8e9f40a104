// An OpenID provider on loopback that lets everybody in as whoever was last named.
//
//   node provider.mjs MODULES REDIRECT_URI
//
// Prints its address on one line when it answers. `/become?who=eve` names somebody. Accounts are made up: Ada has
// a verified address, Eve has one that nobody verified.
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

// Nobody reads on after the address: notices would end the process.
console.info = console.error;

const [modules, redirect] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${modules}/index.js`));
const { default: Provider } = await import(pathToFileURL(require.resolve('oidc-provider')).href);

const accounts = {
  ada: { email: 'ada@example.org', email_verified: true, groups: ['newsroom'] },
  eve: { email: 'root@example.org', email_verified: false, groups: [] },
};

const server = createServer();
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
// Another site than the server under test, which is called by its address.
const issuer = `http://localhost:${server.address().port}`;
let who = 'ada';

const provider = new Provider(issuer, {
  clients: [{
    client_id: 'probity',
    client_secret: 'planted-oidc-secret-0123456789',
    redirect_uris: [redirect],
    post_logout_redirect_uris: [new URL('/login', redirect).href],
    response_types: ['code'],
    grant_types: ['authorization_code'],
  }],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups', 'preferred_username'] },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
  interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, preferred_username: id, ...accounts[id] }),
  }),
  cookies: { keys: ['only for tests'] },
});

provider.use(async (ctx, next) => {
  if (ctx.path === '/become') {
    who = ctx.query.who;
    ctx.body = 'so be it';
    return;
  }
  if (!ctx.path.startsWith('/interaction/')) return next();
  const { params, prompt } = await provider.interactionDetails(ctx.req, ctx.res);
  if (prompt.name === 'login') {
    await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: who } });
  } else {
    const grant = new provider.Grant({ accountId: who, clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    const grantId = await grant.save();
    await provider.interactionFinished(ctx.req, ctx.res, { consent: { grantId } });
  }
  ctx.respond = false;
});

server.on('request', provider.callback());
console.log(issuer);
