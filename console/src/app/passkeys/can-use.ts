/** Browsers give passkeys to hosts with a name, and to pages that others cannot read on their way. */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^\[|^[\d.]+$/.test(window.location.hostname);
