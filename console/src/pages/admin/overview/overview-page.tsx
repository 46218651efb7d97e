// Platform.
import { Page } from '../../../ui/layout/page.tsx';

export function PlatformPage() {
  return <Page title="Platform">{null}</Page>;
}
