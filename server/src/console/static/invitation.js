// The script of the page of an invitation. It takes the token out of the address bar, asks what is offered, and shows how to answer.
const byId = (id) => document.getElementById(id);
const show = (id, text) => {
  byId(id).textContent = text;
};

const token = location.hash.slice(1);
// The token must not stay in the history, nor be copied with the address.
history.replaceState(null, '', location.pathname);
// A second link that is opened in the same tab changes only the fragment.
addEventListener('hashchange', () => location.reload());

const path = `/invitations/${location.pathname.split('/').at(-1)}`;
const minute = (time) => `${time.slice(0, 16).replace('T', ' ')} UTC`;

/** One argument of a shell command. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const curl = (target, headers, body) =>
  [
    'curl -X POST',
    ...headers.map((header) => `-H ${quoted(header)}`),
    ...(body ? [`--json ${quoted(JSON.stringify(body))}`] : []),
  ]
    .concat(quoted(location.origin + target))
    .join(' \\\n  ');
const command = (id, ...request) => {
  byId(id).querySelector('code').textContent = curl(...request);
};

function termsOf({ owner, mfa_required: mfaRequired, acl_permissions: permissions, acl_permission_groups: groups }) {
  const named = [...groups.map(({ name }) => name), ...permissions.map(({ resource }) => resource)];
  const given = owner ? 'All permissions, as an owner.' : named.length > 0 ? `${named.join(', ')}.` : 'No permissions yet.';
  return mfaRequired ? `${given} It requires a second factor.` : given;
}

function showOffer(offer) {
  const { partner, inviter, email } = offer;
  show('summary', `${inviter ? `${inviter.name} invites you` : 'You are invited'} to work with ${partner.name}.`);
  show('email', email);
  show('terms', termsOf(offer));
  show('ends', offer.expires_at === null ? 'Never' : minute(offer.expires_at));
  show('until', minute(offer.invitation_expires_at));
  const proof = `Invitation-Token: ${token}`;
  byId('sign-up').hidden = offer.has_account;
  command('sign-up', '/api/auth/sign-up/email', [proof], { name: 'YOUR NAME', email, password: 'AT LEAST 12 CHARACTERS' });
  command('sign-in', '/api/auth/sign-in/email', [], { email, password: 'YOUR PASSWORD' });
  for (const answer of ['accept', 'decline']) command(answer, `${path}/${answer}`, [proof, 'Authorization: Bearer SESSION']);
  byId('offer').hidden = false;
}

/** Asks what is offered. A GET changes nothing. */
async function load() {
  try {
    const answer = await fetch(path, { headers: { 'invitation-token': token }, credentials: 'omit', cache: 'no-store' });
    const body = await answer.json();
    if (answer.ok) showOffer(body);
    else show('problem', body.message);
  } catch {
    show('problem', 'Concord does not answer. Check your connection, then open the link again.');
  }
}

if (token) load();
else byId('no-token').hidden = false;
