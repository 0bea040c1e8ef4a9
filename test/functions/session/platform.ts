export {
  acceptCall,
  type Interference,
  type PlatformOptions,
  servePlatform,
} from '../../servers/platform-server.ts';
