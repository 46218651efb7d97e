// The word of a state, and its colour.

export type StatusTone = 'good' | 'warning' | 'bad' | 'info' | 'neutral';
export type State = { readonly tone: StatusTone; readonly label: string };
