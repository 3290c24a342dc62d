/** Demos of colors, buttons, badges, alerts and cards. */
import Plus from 'lucide-react/icons/plus';
import { useEffect, useState } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from '../../ui/card.tsx';
import { DemoSection, DemoRow } from './demo-section.tsx';

// Complete class names, because Tailwind generates only classes that it finds in the source.
const colors = [
  ['Background', 'bg-background'],
  ['Surface', 'bg-surface'],
  ['Subtle', 'bg-subtle'],
  ['Foreground', 'bg-foreground'],
  ['Muted', 'bg-muted'],
  ['Primary', 'bg-primary'],
  ['Accent', 'bg-accent'],
  ['Destructive', 'bg-destructive'],
  ['Success', 'bg-success'],
  ['Warning', 'bg-warning'],
  ['Border', 'bg-border'],
  ['Sidebar', 'bg-sidebar'],
] as const;

export function ColorsDemo(): React.JSX.Element {
  return (
    <DemoSection title="Colors" description="Tokens of the current theme." wide>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4 lg:grid-cols-6">
        {colors.map(([name, className]) => (
          <li key={name} className="grid gap-1.5">
            <span aria-hidden className={`h-12 rounded-md border border-border ${className}`} />
            <span className="text-sm font-medium">{name}</span>
            <code className="text-xs text-muted">{className}</code>
          </li>
        ))}
      </ul>
    </DemoSection>
  );
}

export function ButtonsDemo(): React.JSX.Element {
  const [working, setWorking] = useState(false);
  useEffect(() => {
    if (!working) return undefined;
    const timer = setTimeout(() => setWorking(false), 2000);
    return () => clearTimeout(timer);
  }, [working]);
  return (
    <DemoSection title="Buttons" description="Verb and object. One primary button per view.">
      <div className="grid gap-3">
        <DemoRow>
          <Button>Default</Button>
          <Button variant="secondary">Secondary</Button>
          <Button variant="outline">Outline</Button>
          <Button variant="ghost">Ghost</Button>
          <Button variant="destructive">Destructive</Button>
          <Button variant="link">Link</Button>
        </DemoRow>
        <DemoRow>
          <Button size="sm">Small</Button>
          <Button variant="outline" size="icon" aria-label="Add item">
            <Plus aria-hidden />
          </Button>
          <Button disabled>Disabled</Button>
          <Button
            variant="outline"
            pending={working}
            pendingLabel="Working..."
            onClick={() => setWorking(true)}
          >
            Start Work
          </Button>
        </DemoRow>
      </div>
    </DemoSection>
  );
}

export function BadgesDemo(): React.JSX.Element {
  return (
    <DemoSection title="Badges" description="The text has the meaning. The color repeats it.">
      <DemoRow>
        <Badge>Default</Badge>
        <Badge variant="secondary">Secondary</Badge>
        <Badge variant="destructive">Destructive</Badge>
        <Badge variant="outline">Outline</Badge>
      </DemoRow>
    </DemoSection>
  );
}

export function AlertsDemo(): React.JSX.Element {
  return (
    <DemoSection title="Alerts" description="Messages inside the page.">
      <div className="grid gap-3">
        <Alert title="Training tonight">Drills start at 19:00. Live pages are not affected.</Alert>
        <Alert title="Radio relay unreachable" variant="destructive">
          The north ridge relay has not responded for 5 minutes.
        </Alert>
      </div>
    </DemoSection>
  );
}

export function CardsDemo(): React.JSX.Element {
  return (
    <DemoSection title="Cards" description="One topic per card.">
      <Card className="max-w-sm">
        <CardHeader>
          <CardTitle>Harbor Master</CardTitle>
          <CardDescription>3 teams on duty</CardDescription>
        </CardHeader>
        <CardContent className="text-sm">Pier 4, inner basin and the lifeboat station.</CardContent>
        <CardFooter>
          <Button size="sm" variant="outline">
            Open Roster
          </Button>
        </CardFooter>
      </Card>
    </DemoSection>
  );
}
