// The dialog of the search.
import { Dialog } from '../../ui/dialog/dialog.tsx';

// biome-ignore lint/style/noDefaultExport: React.lazy loads the default export
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  return <Dialog title="Search" onClose={onClose} />;
}
