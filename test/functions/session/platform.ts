export { acceptCall, type Interference, servePlatform } from '../../platform-server.ts';
