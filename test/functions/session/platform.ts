export { acceptCall, type Interference, type PlatformOptions, servePlatform } from '../../platform-server.ts';
