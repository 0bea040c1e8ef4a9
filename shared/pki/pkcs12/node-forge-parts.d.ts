// The two files of node-forge that RC2 needs; its types speak only of the whole, which is ten times larger.
declare module 'node-forge/lib/rc2.js' {
  import type { rc2 } from 'node-forge';

  const part: typeof rc2;
  export = part;
}

declare module 'node-forge/lib/util.js' {
  import type { util } from 'node-forge';

  const part: typeof util;
  export = part;
}
