/** The imports of the user that can still be undone. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { shapeError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { UndoButton } from '../../shared/csv-run/undo-button.tsx';
import { undoImport } from '../../shared/undo-import.ts';
import { undoImportText } from '../../shared/undo-import-text.ts';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '../../ui/card.tsx';
import { screenTitleId } from '../../ui/screen-header.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.ts';
import { recentImportsText as text } from './import-text.ts';

export const recentImportsQuery = queryOptions({
  queryKey: ['recent-imports'],
  queryFn: async () => {
    const { imports } = await callFunction('recent-imports', {});
    if (!Array.isArray(imports)) throw shapeError();
    return imports;
  },
});

interface RecentImportsProps {
  /** True while an import sends rows: it could be one of the list, so none can be undone. */
  sending: boolean;
  onUndone: () => void;
}

/** Absent without such an import, and if the imports cannot be read. */
export function RecentImports({ sending, onUndone }: RecentImportsProps): React.JSX.Element | null {
  const id = useId();
  const { data: imports = [] } = useQuery(recentImportsQuery);
  if (imports.length === 0) return null;
  const undo = async (importId: string): Promise<void> => {
    try {
      const { deleted, kept } = await undoImport(importId);
      toast({ action: 'undo-import', title: undoImportText.undone(deleted, kept.size) });
      // The button disappears with its row.
      document.getElementById(screenTitleId)?.focus();
    } finally {
      onUndone();
    }
  };
  return (
    <Card aria-labelledby={id} tabIndex={-1}>
      <CardHeader>
        <CardTitle id={id}>{text.title}</CardTitle>
        <CardDescription>{text.description}</CardDescription>
      </CardHeader>
      <CardContent>
        <ul aria-labelledby={id} className="grid gap-3">
          {imports.map((each) => (
            <li key={each.id} className="flex flex-wrap items-center justify-between gap-3 text-sm">
              <span id={`${id}-${each.id}`}>
                <Time value={each.created_at} exact className="tabular-nums" />
                {': '}
                {text.created(each.accounts)}
                {typeof each.file_name === 'string' && (
                  <>
                    {` ${text.from} `}
                    <bdi translate="no" className="font-medium wrap-anywhere">
                      {each.file_name}
                    </bdi>
                  </>
                )}
              </span>
              {!sending && (
                <UndoButton
                  text={undoImportText}
                  total={each.accounts}
                  describedBy={`${id}-${each.id}`}
                  size="sm"
                  onConfirm={() => undo(each.id)}
                />
              )}
            </li>
          ))}
        </ul>
      </CardContent>
    </Card>
  );
}
