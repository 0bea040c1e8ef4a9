// The files of node-forge that old ciphers need. Its own types describe the whole package, and Node.
type ForgeBuffer = { getBytes(): string };
type ForgeCipher = {
  readonly output: ForgeBuffer;
  start(iv: string): void;
  update(input: ForgeBuffer): void;
  finish(unpad: () => boolean): boolean;
};

declare module 'node-forge/lib/des.js' {
  const part: { createDecryptionCipher(key: string, mode: 'CBC'): ForgeCipher };
  export = part;
}

declare module 'node-forge/lib/rc2.js' {
  const part: {
    createDecryptionCipher(key: string, bits: number): ForgeCipher;
    createEncryptionCipher(key: string, bits: number): ForgeCipher;
  };
  export = part;
}

declare module 'node-forge/lib/util.js' {
  const part: { createBuffer(binary: string): ForgeBuffer };
  export = part;
}
