export { createDeclared } from './resources/create.ts';
export { type Declared, readDeclared } from './resources/read.ts';
