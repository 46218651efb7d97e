// What the pages of the account say about codes of errors.

export const passwordProblems = { invalid_password: 'The password is wrong.' } as const;
