import { honest } from './xml.ts';
import { hostileXml } from './xml-shapes.ts';

export { honest, prepare as read } from './xml.ts';

export const cases = () => hostileXml(honest().toString(), 1_000_000, 53);
