// What looks wrong in a profile. The API takes any text, so a person can save it all the same.
import type { Texts } from './fields.ts';

const isWebsite = (text: string): boolean => /^https?:\/\/[^\s/]+\.[^\s/]+/i.test(text) && URL.canParse(text);
const isPhone = (text: string): boolean =>
  /^\+?[\d\s().\-/]+(?:(?:x|ext\.?)\s*\d+)?$/i.test(text) && text.replaceAll(/\D/g, '').length >= 5;
const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
const isWithin = (text: string, most: number): boolean => Math.abs(Number(text)) <= most;

/** Codes of ISO 3166 and names, in English and in the language of the browser. */
function isCountry(text: string): boolean {
  const wanted = text.toLowerCase();
  const names = ['en', navigator.language].map(
    (language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }),
  );
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters.some((first) =>
    letters.some((second) => {
      const code = first + second;
      const found = names.map((one) => one.of(code));
      if (code === 'ZZ' || found[0] === undefined) return false;
      return wanted === code.toLowerCase() || found.some((name) => name?.toLowerCase() === wanted);
    }),
  );
}

type Check = { readonly isRight: (text: string) => boolean; readonly right: string };
const website = {
  isRight: isWebsite,
  right: 'A website begins with https://, such as https://nordlys.example.',
};
const phone = {
  isRight: isPhone,
  right: 'A phone number has digits and the code of its country, such as +47 21 00 00 00.',
};
const address = { isRight: isAddress, right: 'An e-mail address looks like billing@nordlys.example.' };
const checks: Readonly<Record<string, Check>> = {
  website,
  phone,
  support_phone: phone,
  billing_email: address,
  support_email: address,
  'billing_address.country': {
    isRight: isCountry,
    right: 'No country has this name or code. Write it like Norway or NO.',
  },
  'billing_address.latitude': {
    isRight: (text) => isWithin(text, 90),
    right: 'A latitude is a number between -90 and 90.',
  },
  'billing_address.longitude': {
    isRight: (text) => isWithin(text, 180),
    right: 'A longitude is a number between -180 and 180.',
  },
};

/** By field, of what the person changed. */
export function findWarnings(
  before: Texts,
  after: Texts,
): { readonly name: string; readonly message: string }[] {
  return Object.entries(after).flatMap(([name, text]) => {
    const check = checks[name];
    const value = text.trim();
    if (check === undefined || value === '' || text === before[name] || check.isRight(value)) return [];
    return [{ name, message: check.right }];
  });
}
