/** Where the agent's words go: the terminal, or a test. Nothing that is said holds a PIN. */
export type Speech = { readonly say: (line: string) => void; readonly complain: (line: string) => void };

export const CONSOLE: Speech = {
  say: (line) => console.log(line),
  complain: (line) => console.error(line),
};
