import { type Preferences, setPreferences, usePreferences } from '../app/preferences.ts'
import { Radio, RadioGroup } from '../ui/radio-group.tsx'
import { Switch } from '../ui/switch.tsx'

export function AppearanceSettings() {
  const { theme, density, reducedMotion } = usePreferences()
  return (
    <>
      <RadioGroup
        label="Theme"
        orientation="horizontal"
        value={theme}
        onChange={(value) => setPreferences({ theme: value as Preferences['theme'] })}
      >
        <Radio value="system">System</Radio>
        <Radio value="light">Light</Radio>
        <Radio value="dark">Dark</Radio>
      </RadioGroup>
      <RadioGroup
        label="Density"
        orientation="horizontal"
        value={density}
        onChange={(value) => setPreferences({ density: value as Preferences['density'] })}
      >
        <Radio value="comfortable">Comfortable</Radio>
        <Radio value="compact">Compact</Radio>
      </RadioGroup>
      <Switch
        isSelected={reducedMotion}
        onChange={(isSelected) => setPreferences({ reducedMotion: isSelected })}
        description="What your system asks for holds in any case."
      >
        Reduce motion
      </Switch>
    </>
  )
}

export function KeyboardSettings() {
  const { singleKeys } = usePreferences()
  return (
    <Switch
      isSelected={singleKeys}
      onChange={(isSelected) => setPreferences({ singleKeys: isSelected })}
      description="Such as c for a new contact and / for the search. Press ? for the list. Those with Ctrl or ⌘ stay."
    >
      Single-key shortcuts
    </Switch>
  )
}
